// What is wrong with the page as it is laid out now, as sentences: corners of cards, plates, labels and buttons that
// overlap, what is clipped, and what is too small for a finger or for eyes.
(() => {
  const faults = [];
  const all = (found, among = document) => [...among.querySelectorAll(found)].filter((one) => one.checkVisibility() && !one.closest(".spoken"));
  const boxOf = (one) => one.getBoundingClientRect();
  const named = (one) => `${one.className || one.tagName} "${(one.ariaLabel || one.textContent).slice(0, 40)}"`;
  const isClipped = (one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
  const meet = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1;
  const isWithin = (a, b) => a.left >= b.left - 1 && a.top >= b.top - 1 && a.right <= b.right + 1 && a.bottom <= b.bottom + 1;
  const pairs = (list) => list.flatMap((one, at) => list.slice(at + 1).map((other) => [one, other]));
  const windowBox = new DOMRect(0, 0, innerWidth, innerHeight);

  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page is wider than the window");
  const dialog = document.querySelector("dialog[open]");
  if (dialog) {
    const around = boxOf(dialog);
    if (!isWithin(around, windowBox)) faults.push("the dialog is cut by the window");
    const shown = all("h2, summary, button, p", dialog);
    for (const one of shown) {
      if (isClipped(one)) faults.push(`${named(one)} is clipped`);
      if (boxOf(one).left < around.left || boxOf(one).right > around.right) faults.push(`${named(one)} is cut at the side`);
    }
    const pressed = shown.filter((one) => one.matches("button, summary") && !one.closest("header"));
    for (const [one, other] of pairs(pressed)) if (meet(boxOf(one), boxOf(other))) faults.push(`${named(one)} and ${named(other)} overlap`);
    return faults;
  }

  const felt = boxOf(document.querySelector(".felt"));
  const cards = all(".card").map((one) => {
    const style = getComputedStyle(one);
    const face = one.querySelector(".face");
    const name = face.firstElementChild.getAttribute("href").slice(2);
    return { one, name, zone: one.dataset.zone, depth: Number(style.zIndex), matrix: new DOMMatrix(style.transform), up: !face.classList.contains("back") };
  });
  // Of a card that is drawn 100 by 140: its rank and suit.
  const cornerOf = ({ matrix }) => [[5, 6], [29, 6], [5, 56], [29, 56], [17, 31]].map(([x, y]) => matrix.transformPoint(new DOMPoint(x, y)));
  const covers = ({ matrix }, { x, y }) => {
    const at = matrix.inverse().transformPoint(new DOMPoint(x, y));
    return at.x > 1 && at.x < 99 && at.y > 1 && at.y < 139;
  };
  // Of a pile only the uppermost card is to be read.
  const isUnder = (card) =>
    cards.some(({ zone, depth, matrix }) => zone === card.zone && depth > card.depth && Math.hypot(matrix.e - card.matrix.e, matrix.f - card.matrix.f) < 6);
  const things = [];
  for (const card of cards) {
    if (!isWithin(boxOf(card.one), felt)) faults.push(`the ${card.name} of ${card.zone} is cut by the edge of the table`);
    if (!card.up || isUnder(card)) continue;
    const corner = cornerOf(card);
    for (const other of cards) {
      if (other.depth > card.depth && corner.some((point) => covers(other, point))) faults.push(`the corner of the ${card.name} lies under the ${other.name}`);
    }
    const [left, top] = [Math.min(...corner.map(({ x }) => x)), Math.min(...corner.map(({ y }) => y))];
    const [right, bottom] = [Math.max(...corner.map(({ x }) => x)), Math.max(...corner.map(({ y }) => y))];
    things.push({ name: `the corner of the ${card.name}`, isCard: true, box: new DOMRect(felt.left + left, felt.top + top, right - left, bottom - top) });
  }
  const PARTS = ".plate, .label > span, .buttons button, .bar button, .bar h1, .bar p, .bar .trump, .prompt p, .prompt .clock, .board, .reasons";
  for (const one of all(PARTS)) {
    things.push({ name: named(one), box: boxOf(one) });
    if (!isWithin(boxOf(one), one.closest(".felt") ? felt : windowBox)) faults.push(`${named(one)} is cut by the window`);
  }
  for (const label of all(".label.pile > span, .label.row > span")) {
    for (const card of cards) if (meet(boxOf(label), boxOf(card.one))) faults.push(`${named(label)} lies on the ${card.name} of ${card.zone}`);
  }
  for (const bubble of all(".bubble")) if (!isWithin(boxOf(bubble), felt)) faults.push(`${named(bubble)} is cut by the edge of the table`);
  for (const [one, other] of pairs(things)) {
    if (!(one.isCard && other.isCard) && meet(one.box, other.box)) faults.push(`${one.name} and ${other.name} overlap`);
  }
  const WORDS = ".plate b, .plate small, .plate em, .plate i:not(.dealer), .bar h1, .bar p, .prompt p, .buttons button, .label > span, .reasons";
  for (const one of all(WORDS)) if (isClipped(one)) faults.push(`${named(one)} is clipped`);
  for (const plate of all(".plate")) {
    for (const part of all("b, small, em, i", plate)) if (!isWithin(boxOf(part), boxOf(plate))) faults.push(`${named(part)} is cut by its plate`);
  }

  const hits = all(".hit");
  const finger = hits.length > 14 ? 30 : 44;
  for (const one of hits) {
    const { width, height } = boxOf(one);
    if (Math.min(width, height) < finger - 0.5) faults.push(`${named(one)} is ${Math.round(width)} x ${Math.round(height)} to the touch`);
  }
  const canPlay = hits.some((one) => one.ariaLabel.includes("can be played"));
  if (!canPlay && all('.card.dim[data-zone="hand"]').length) faults.push("the hand is greyed where none of it can be played");
  for (const { name, zone, matrix } of cards.filter(({ zone }) => /^(pile|trick) /.test(zone))) {
    const width = Math.hypot(matrix.a, matrix.b) * 100;
    if (width < 43.5) faults.push(`the ${name} of ${zone} is ${Math.round(width)} wide`);
  }
  return faults;
})()

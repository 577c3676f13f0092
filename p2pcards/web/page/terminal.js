// A terminal in the page, whose other end is a program on this machine: keys go there as bytes, sizes as text such as
// 80x24, and what comes is painted.
import { Terminal } from "./xterm.mjs";

const USUAL_FONT = 16;
const SMALLEST_FONT = 3;
const LEAST = { columns: 80, lines: 24 }; // what the title screen needs
const MOST = 999;
const PIECE = 32768; // bytes of a message
const NORMAL = 1000;

const terminal = new Terminal({
  fontFamily: '"DejaVu Sans Mono", Menlo, Consolas, "Liberation Mono", monospace',
  fontSize: USUAL_FONT,
  // The cursor stands on a card's letter, which it must not hide.
  cursorStyle: "underline",
  cursorInactiveStyle: "underline",
  theme: { background: "#101010", foreground: "#e8e8e8" },
});
const place = document.getElementById("terminal");
const notice = document.getElementById("notice");
terminal.open(place);
terminal.focus();

// The right button is one of the table's.
place.addEventListener("contextmenu", (event) => event.preventDefault());

function room() {
  const painted = place.querySelector(".xterm-screen").getBoundingClientRect();
  return {
    columns: Math.min(MOST, Math.floor((place.clientWidth * terminal.cols) / painted.width)),
    lines: Math.min(MOST, Math.floor((place.clientHeight * terminal.rows) / painted.height)),
  };
}

// The usual font, or the largest one with which the least fits in.
function fit() {
  let found;
  for (let size = USUAL_FONT; size >= SMALLEST_FONT; size--) {
    terminal.options.fontSize = size;
    found = room();
    if (found.columns >= LEAST.columns && found.lines >= LEAST.lines) break;
  }
  terminal.resize(Math.max(1, found.columns), Math.max(1, found.lines));
}

fit();
const socket = new WebSocket(new URL("screen", location.href.replace(/^http/, "ws")));
socket.binaryType = "arraybuffer";

function send(bytes) {
  if (socket.readyState !== WebSocket.OPEN) return;
  for (let start = 0; start < bytes.length; start += PIECE) socket.send(bytes.subarray(start, start + PIECE));
}

function sendSize() {
  if (socket.readyState === WebSocket.OPEN) socket.send(`${terminal.cols}x${terminal.rows}`);
}

socket.addEventListener("open", sendSize);
socket.addEventListener("message", (event) => {
  document.getElementById("loading").hidden = true;
  terminal.write(new Uint8Array(event.data));
});
terminal.onResize(sendSize);
terminal.onData((text) => send(new TextEncoder().encode(text)));
terminal.onBinary((text) => send(Uint8Array.from(text, (letter) => letter.charCodeAt(0))));
terminal.onBell(ring);
window.addEventListener("resize", fit);

function ring() {
  const audio = new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: 880 });
  const quiet = new GainNode(audio, { gain: 0.1 });
  tone.connect(quiet).connect(audio.destination);
  tone.addEventListener("ended", () => audio.close());
  tone.start();
  tone.stop(audio.currentTime + 0.15);
}

socket.addEventListener("close", (event) => {
  const lost = "There is no connection to p2pcards any more. See that 'p2pcards web' runs; your seat is kept.";
  const why = event.reason || (event.code === NORMAL ? "p2pcards has ended in this tab." : lost);
  notice.textContent = `${why} Enter or a click begins again.`;
  notice.hidden = false;
  document.getElementById("loading").hidden = true;
  document.addEventListener("click", () => location.reload());
  document.addEventListener("keydown", (key) => key.key === "Enter" && location.reload(), true);
});

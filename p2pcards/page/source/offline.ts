/** Keeps the page of a web space in this browser, so that it opens without a connection, and from a home screen. The work
 *  is done by page/service.js. A page that a friend's program serves is not kept: it is as that program is. */

const SERVICE = "service.js";
const MANIFEST = "manifest.json";

const KEPT = "This page also works offline, and your browser's menu can add it to your home screen.";
const INSECURE = "This page can't work offline over plain http.";
const REFUSED = "This page can't work offline in this browser.";

/** Once all of the page has come: what is kept of it, as a sentence. newer: called when another build is kept, and waits. */
export async function keepPage(newer: () => void): Promise<string> {
  if (!isSecureContext) return INSECURE;
  try {
    const registration = await navigator.serviceWorker.register(SERVICE);
    const manifest = document.createElement("link");
    manifest.rel = "manifest";
    manifest.href = MANIFEST;
    document.head.append(manifest);
    const watch = async (worker: ServiceWorker | null) => {
      if (worker && (await reaches(worker, "installed")) && registration.active && registration.active !== worker) newer();
    };
    registration.onupdatefound = () => void watch(registration.installing);
    void watch(registration.waiting ?? registration.installing);
    const first = registration.active ?? registration.waiting ?? registration.installing;
    return first && (await reaches(first, "activated")) ? KEPT : REFUSED;
  } catch {
    return REFUSED; // a private window, or what this browser keeps is turned off
  }
}

/** The page again, in the newest build that can be had. */
export async function loadNewest(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  await registration?.update().catch(() => undefined);
  const next = registration?.installing ?? registration?.waiting;
  if (next && (await reaches(next, "installed"))) {
    next.postMessage("take over");
    await reaches(next, "activated");
  }
  location.reload();
}

const STATES: ServiceWorkerState[] = ["parsed", "installing", "installed", "activating", "activated"];

/** False where it will never be that far. */
function reaches(worker: ServiceWorker, state: ServiceWorkerState): Promise<boolean> {
  return new Promise((resolve) => {
    const look = () => {
      if (worker.state === "redundant") resolve(false);
      else if (STATES.indexOf(worker.state) >= STATES.indexOf(state)) resolve(true);
    };
    worker.addEventListener("statechange", look);
    look();
  });
}

// @ts-check
// The page for those whose address has no token: they enter it, or this browser has kept it for this path. What
// follows # in the address is the state of the page, and stays.
const {pathname} = location;
const TOKEN = `aspdoku-token${pathname === "/" ? "" : pathname}`;
const form = /** @type {HTMLFormElement} */ (document.querySelector("form"));

function enterKept() {
  if (form.classList.contains("wrong")) localStorage.removeItem(TOKEN);
  const kept = localStorage.getItem(TOKEN);
  if (kept) location.replace(`${pathname}?token=${encodeURIComponent(kept)}${location.hash}`);
}

form.action = pathname + location.hash;
addEventListener("hashchange", () => (form.action = pathname + location.hash));
try {
  enterKept();
} catch {
  // a browser that stores nothing
}

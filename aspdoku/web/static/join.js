// @ts-check
// The page for those whose address has no token: they enter it, or this browser has kept it. What
// follows # in the address is the state of the page, and stays.
const TOKEN = "aspdoku-token";
const form = /** @type {HTMLFormElement} */ (document.querySelector("form"));

function enterKept() {
  if (form.classList.contains("wrong")) localStorage.removeItem(TOKEN);
  const kept = localStorage.getItem(TOKEN);
  if (kept) location.replace(`/?token=${encodeURIComponent(kept)}${location.hash}`);
}

form.action = `/${location.hash}`;
addEventListener("hashchange", () => (form.action = `/${location.hash}`));
try {
  enterKept();
} catch {
  // a browser that stores nothing
}

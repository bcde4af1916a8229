// @ts-check
// Light or dark: as the system has it, until somebody chooses, here or in a page around this one.

export function flipTheme() {
  const {dataset} = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const shown = dataset.theme === "light" || dataset.theme === "dark" ? dataset.theme : system;
  dataset.theme = shown === "dark" ? "light" : "dark";
}

addEventListener("message", ({data, source}) => {
  const isAround = source === parent && parent !== window;
  const theme = data?.theme; // "auto" is that of the system
  if (isAround && ["light", "dark", "auto"].includes(theme)) document.documentElement.dataset.theme = theme;
});

// @ts-check
// Light or dark: as the system has it, until somebody chooses.

export function flipTheme() {
  const {dataset} = document.documentElement;
  const isDark = dataset.theme === "dark" || (!dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);
  dataset.theme = isDark ? "light" : "dark";
}

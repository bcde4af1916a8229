import js from "@eslint/js";

export default [
  {ignores: ["aspdoku/web/static/clingo.js"]},
  js.configs.recommended,
  {
    rules: {
      "max-len": ["error", {code: 120}],
      "no-undef": "off", // tsc knows the names of browsers
    },
  },
];

// Questions to the server of the page, and the token that they need.
"use strict";

const TOKEN = "aspdoku-token";
const BUSY = 503;
const TRIES = 30;
const PAUSE = [1000, 3000]; // milliseconds, at random, so that a class does not ask all at once

const token = document.querySelector(`meta[name=${TOKEN}]`)?.content;
if (token) keepToken();

// Who copies the address of the window passes on no token: this browser keeps it, for `join.js`.
function keepToken() {
  history.replaceState(null, "", location.pathname + location.hash);
  try {
    localStorage.setItem(TOKEN, token);
  } catch {
    // a browser that stores nothing asks for the token again
  }
}

// The answer, or an Error. A server that is busy is asked again.
async function askServer(question) {
  if (!token) throw new Error("this question needs a server: see aspdoku serve");
  for (let tries = 1; ; tries++) {
    const response = await fetch("/ask", {
      method: "POST",
      headers: {"Content-Type": "application/json", "X-Aspdoku-Token": token},
      body: JSON.stringify(question),
    }).catch(() => {
      throw new Error("the server does not answer");
    });
    if (response.status === BUSY && tries < TRIES) {
      const [least, most] = PAUSE;
      await new Promise(resolve => setTimeout(resolve, least + (most - least) * Math.random()));
      continue;
    }
    const answer = await response.json().catch(() => ({error: `status ${response.status}`}));
    if (!response.ok || answer.error) throw new Error(answer.error || `status ${response.status}`);
    return answer;
  }
}

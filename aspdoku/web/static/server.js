// @ts-check
// Questions to the server of the page, and the token that they need.

const TOKEN = "aspdoku-token";
const BUSY = 503, TOO_LARGE = 413;
export const LARGEST = 1_000_000; // bytes of a question
export const TOO_LONG = "the text is too long: a rule or a puzzle may have at most 100000 characters";
const TRIES = 30;
const PAUSE = [1000, 3000]; // milliseconds, at random, so that a class does not ask all at once

export const token = document.querySelector(`meta[name=${TOKEN}]`)?.getAttribute("content");
if (token) keepToken(token);

/**
 * Who copies the address of the window passes on no token: this browser keeps it, for `join.js`. Each page of a
 * lecturer has a place of its own, beside that of the page for students.
 * @param {string} token
 */
function keepToken(token) {
  const {pathname, hash} = location;
  history.replaceState(null, "", pathname + hash);
  try {
    localStorage.setItem(pathname === "/" ? TOKEN : TOKEN + pathname, token);
  } catch {
    // a browser that stores nothing asks for the token again
  }
}

/** The answer, or an Error. A server that is busy is asked again. @param {object} question */
export async function askServer(question) {
  if (!token) throw new Error("this question needs a server: see aspdoku serve");
  const body = JSON.stringify(question);
  if (new Blob([body]).size > LARGEST) throw new Error(TOO_LONG);
  for (let tries = 1; ; tries++) {
    const response = await fetch("/ask", {
      method: "POST",
      headers: {"Content-Type": "application/json", "X-Aspdoku-Token": token},
      body,
    }).catch(() => {
      throw new Error("the server does not answer");
    });
    if (response.status === BUSY && tries < TRIES) {
      const [least, most] = PAUSE;
      await new Promise(resolve => setTimeout(resolve, least + (most - least) * Math.random()));
      continue;
    }
    if (response.status === TOO_LARGE) throw new Error(TOO_LONG);
    const answer = await response.json().catch(() => ({}));
    if (response.ok && !answer.error) return answer;
    throw new Error(answer.error || `the server has failed (status ${response.status})`);
  }
}

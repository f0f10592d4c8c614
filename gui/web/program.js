// The worker behind the Program panel: it loads the machine that plays a recording again, passes questions to it and answers
// back. The page starts it when the panel is first shown (gui/src/panels/program/link/page.rs). It is a classic script, since
// workers with modules are younger than the browsers in which the page runs.
'use strict';

const GLUE = './{{insight.js}}';
const MODULE = './{{insight.wasm}}';

let exports = null;
let machine = null;
let broken = false;
/** Whether a turn at working is on its way. */
let working = false;
/** Questions from before there was a machine. */
const early = [];

onmessage = ({ data }) => {
  if (typeof data !== 'string') begin(data).catch(end);
  else if (machine) attempt(() => ask(data));
  else early.push(data);
};

/** Something that ends the work, in words for the viewer. */
class Ended extends Error {}

/** Loads the machine and the recording, each from where it is. */
async function begin({ url, token, file, asked, whole }) {
  const [recording] = await Promise.all([url ? fetchRecording(url, token) : file, load()]);
  try {
    machine = new wasm_bindgen.InsightWorker(recording, asked || '', whole !== false);
  } catch (error) {
    throw typeof error === 'string' ? new Ended(`What came is no recording: ${error}.`) : error;
  }
  attempt(() => early.splice(0).forEach(ask));
}

async function load() {
  const lost = (why) => new Ended(`The part of the page that plays matches again could not be loaded (${why}). ` +
    'The server may be away, or have a newer page: reload this one.');
  let response;
  try {
    importScripts(GLUE);
    response = await fetch(MODULE);
  } catch (error) {
    throw lost(error.message);
  }
  if (!response.ok) throw lost(`the server answers ${response.status}`);
  exports = await wasm_bindgen({ module_or_path: response });
}

async function fetchRecording(url, token) {
  let response;
  try {
    response = await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  } catch (error) {
    throw new Ended(`The recording could not be fetched (${error.message}).`);
  }
  if (!response.ok) {
    const told = await response.json().catch(() => null);
    throw new Ended(`The server does not hand over the recording: ${(told && told.error) || `it answers ${response.status}`}.`);
  }
  return new Uint8Array(await response.arrayBuffer());
}

function ask(question) {
  const answer = machine.ask(question);
  if (answer !== undefined) postMessage(answer);
  goOn();
}

// Between two turns at working, questions are taken: a timer would wait some milliseconds each time.
const turns = new MessageChannel();
turns.port1.onmessage = () => attempt(() => {
  working = false;
  machine.work().forEach((answer) => postMessage(answer));
  goOn();
});

function goOn() {
  if (working || machine.idle()) return;
  working = true;
  turns.port2.postMessage(null);
}

function attempt(work) {
  if (broken) return;
  try {
    work();
  } catch (error) {
    end(error);
  }
}

/** After a fault nothing of the module can be trusted. */
function end(error) {
  if (broken) return;
  broken = true;
  postMessage({ broken: error instanceof Ended ? error.message : wordsOf(error) });
}

function wordsOf(error) {
  let fault;
  try {
    fault = wasm_bindgen.fault();
  } catch { /* What the browser says must do. */ }
  if (fault) return `The machine that plays the match again stopped by a fault of its own: ${fault}`;
  const size = exports ? ` It had ${Math.round(exports.memory.buffer.byteLength / 1048576)} MiB.` : '';
  // A module that gets no memory stops without a word.
  const starved = (error instanceof WebAssembly.RuntimeError && /unreachable/.test(error.message)) ||
    (error instanceof RangeError && /memory|allocation|buffer/i.test(error.message));
  if (starved) return `The browser gave no more memory to play the match again.${size} Close other tabs, or open the recording in the program.`;
  return `The machine that plays the match again stopped: ${(error && error.message) || error}.${size}`;
}

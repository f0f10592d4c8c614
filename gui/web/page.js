// The page around the spectator: starts it, says in words what is wrong when it can't start, keeps the log of moves
// for screen readers and the address in step with the picture, and offers window.grandstand (see gui/WEB.md).

const GLUE = './{{grandstand.js}}';
const MODULE = './{{grandstand.wasm}}';
/** The script of the worker behind the Program panel, which is loaded when that is first shown. */
const PROGRAM = './{{program.js}}';
/** The recordings that the first screen offers, which are fetched when it is shown. */
const SAMPLES = {
  abalone: './{{sample-abalone.replay}}',
  shark: './{{sample-shark.replay}}',
  fortress: './{{sample-fortress.replay}}',
  gomoku: './{{sample-gomoku.replay}}',
  pente: './{{sample-pente.replay}}',
  riskless: './{{sample-riskless.replay}}',
};
const LOG_LINES = 200;

const byId = (id) => document.getElementById(id);
const parameters = new URLSearchParams(location.search);
const embedded = parameters.get('embed') === '1';

// ---------------------------------------------------------------------------------------------------------------
// What can go wrong, and what a person can do about it.

const OLD = 'The spectator needs Firefox, Chrome or Edge from 2021 or later, or Safari from 2023 or later. ' +
  'The list below works in any browser.';

const FAILURES = {
  webassembly: ['This browser has no WebAssembly', OLD +
    ' Some security settings, such as the lockdown mode of a phone, turn WebAssembly off: an exception for this site is enough.'],
  old: ['This browser is too old', OLD],
  webgl: ['No WebGL, no picture', 'The spectator draws with WebGL, which is turned off or not available here. ' +
    'Turn on hardware acceleration in the browser’s settings and reload, try another browser, ' +
    'or use the list of matches without pictures.'],
  load: ['The spectator could not be loaded', 'The server did not answer, or stopped half-way. ' +
    'Check that it runs and that this computer reaches it, then try again.'],
  stale: ['The server has a newer page', 'This page belongs to an older version of the server. Reload it.'],
  graphics: ['The graphics went away', 'The browser or its driver took the graphics back, as happens after sleep or when memory is short. ' +
    'Try again; if it does not help, close other tabs or restart the browser.'],
  fault: ['The spectator stopped by a fault of its own', 'The match goes on, and the recording is safe on the server. ' +
    'Try again; if it happens again, please report what stands below.'],
};

function fail(kind, detail = '') {
  const [headline, words] = FAILURES[kind];
  curtain('failed', headline, words, detail);
  document.title = `${headline} · Grandstand`;
  emit('problem', { kind, message: `${headline}. ${words}`, detail });
}

function curtain(state, headline, words, detail = '') {
  document.body.dataset.state = state;
  byId('headline').textContent = headline;
  byId('words').textContent = words;
  byId('detail').textContent = detail;
  byId('detail').hidden = detail === '';
  byId('words').setAttribute('role', state === 'failed' ? 'alert' : 'status');
}

/** The kind of failure that an exception while loading or starting means. */
function kindOf(error) {
  const text = String((error && error.message) || error);
  if (/webgl/i.test(text)) return 'webgl';
  if (error instanceof WebAssembly.CompileError || error instanceof WebAssembly.LinkError || error instanceof SyntaxError) return 'old';
  if (error instanceof WebAssembly.RuntimeError) return 'fault';
  if (error instanceof NotFound) return 'stale';
  if (error instanceof TypeError) return 'load';
  return 'fault';
}

class NotFound extends Error {}

// ---------------------------------------------------------------------------------------------------------------
// Starting, and starting again.

let spectator = null;
let glue = null;
/** What to open at the start, and again after the graphics were lost. */
let wanted = fromAddress(parameters);

function fromAddress(query) {
  const number = (name) => (/^\d{1,15}$/.test(query.get(name) || '') ? { [name]: Number(query.get(name)) } : {});
  const moment = number('seq');
  if (query.get('marks')) moment.marks = query.get('marks');
  const lock = query.get('lock') ? { lock: query.get('lock') } : {};
  const other = query.get('with') ? { with: query.get('with'), ...number('withseq'), ...lock } : {};
  if (query.get('match')) return { match: query.get('match'), ...other, ...moment };
  if (query.get('replay')) return { replay: query.get('replay'), ...other, ...moment };
  if (query.has('wall')) return { wall: query.get('wall') };
  if (query.has('tournament')) return { tournament: query.get('tournament') };
  return null;
}

async function start() {
  if (typeof WebAssembly !== 'object') return fail('webassembly');
  if (!hasWebGl()) return fail('webgl');
  try {
    if (!glue) {
      const response = await fetch(MODULE);
      if (response.status === 404) throw new NotFound('the module is gone');
      if (!response.ok) throw new TypeError(`${response.status} ${response.statusText}`);
      const loaded = await import(GLUE);
      await loaded.default({ module_or_path: response });
      glue = loaded;
    }
    const program = new URL(PROGRAM, import.meta.url).href;
    const samples = Object.fromEntries(Object.entries(SAMPLES).map(([game, name]) => [game, new URL(name, import.meta.url).href]));
    const base = new URL('.', document.baseURI).href;
    spectator = await glue.Spectator.start(byId('picture'), base, embedded, program, JSON.stringify(samples), hear);
  } catch (error) {
    console.error(error);
    return fail(kindOf(error), String((error && error.message) || error));
  }
  document.body.dataset.state = 'ready';
  // The field that takes letters for the canvas has no name of its own.
  for (const input of document.querySelectorAll('body > input')) input.setAttribute('aria-label', 'Keyboard input of the spectator');
  byId('picture').focus({ preventScroll: true });
  if (parameters.get('spoilers') === 'hide') ask({ spoilers: false });
  if (wanted) open(wanted).catch(() => {});
  becomeReady();
}

function hasWebGl() {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('webgl2') || canvas.getContext('webgl');
  // A context is scarce: this one is given back at once.
  const giveBack = context && context.getExtension('WEBGL_lose_context');
  if (giveBack) giveBack.loseContext();
  return context !== null;
}

/**
 * A browser that plays another screen than it has, as its tools for developers can, still counts the pixels of its own.
 * The picture would be drawn for the wrong number of them: without this count it is taken from the size of the page.
 */
function mendPixelCount() {
  if (!('ResizeObserverEntry' in window && 'devicePixelContentBoxSize' in ResizeObserverEntry.prototype)) return;
  const observer = new ResizeObserver(([entry]) => {
    observer.disconnect();
    const counted = entry.devicePixelContentBoxSize[0].inlineSize;
    const expected = entry.contentBoxSize[0].inlineSize * devicePixelRatio;
    if (Math.abs(counted - expected) > 2) delete ResizeObserverEntry.prototype.devicePixelContentBoxSize;
  });
  observer.observe(byId('picture'), { box: 'device-pixel-content-box' });
}
mendPixelCount();

/** Ends the spectator, remembering where it was, and puts a new canvas in the place of the old one. */
function stop() {
  if (!spectator) return;
  const status = grandstand.status;
  // What is only being opened is opened again as it was asked for.
  if (status && status.source && status.state !== 'opening') {
    const moment = status.pair || (status.following ? {} : { seq: status.seq });
    wanted = { ...status.source, ...(status.with && { with: status.with }), ...(fileOpen && { file: fileOpen }), ...moment, marks: status.marks };
  }
  const ended = spectator;
  spectator = null;
  try {
    ended.destroy();
  } catch (error) {
    console.warn('the spectator did not end cleanly', error);
  }
  const old = byId('picture');
  const fresh = old.cloneNode(false);
  old.replaceWith(fresh);
  watch(fresh);
}

let losses = 0;
function watch(canvas) {
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    if (!spectator) return;
    losses += 1;
    stop();
    if (losses > 3) return fail('graphics');
    curtain('loading', 'The graphics went away', 'The browser took them back. The picture returns in a moment.');
    setTimeout(start, 500 * losses);
    setTimeout(() => { losses = 0; }, 60_000);
  });
}
watch(byId('picture'));

byId('again').addEventListener('click', () => {
  // After a fault nothing of the module can be trusted, and a stale page needs the new one.
  location.reload();
});

/** A fault inside the module ends it; what it said last is the detail. */
addEventListener('error', (event) => {
  if (!spectator || !(event.error instanceof WebAssembly.RuntimeError)) return;
  let detail = String(event.error.message);
  try {
    detail = spectator.fault() || detail;
  } catch { /* The message that we have must do. */ }
  spectator = null;
  fail('fault', detail);
});

// ---------------------------------------------------------------------------------------------------------------
// What the spectator tells: its status, and what happens in words.

let status = null;
let fileOpen = null;

// What comes here comes in the middle of a frame, when the spectator can't be asked for anything: listeners are called
// as soon as the frame is over.
function hear(kind, json) {
  queueMicrotask(() => take(kind, JSON.parse(json)));
}

function take(kind, told) {
  if (kind === 'log') return writeLog(told);
  // The canvas is one thing for a screen reader: what in it has the focus is said beside it.
  if (kind === 'focus') { byId('focus').textContent = told; return; }
  if (kind === 'leave') { byId(!told ? 'before' : embedded ? 'full' : 'after').focus(); return; }
  const before = status;
  status = Object.freeze(told);
  emit('status', status);
  const sourceKey = (s) => JSON.stringify(s && s.source);
  if (sourceKey(before) !== sourceKey(status)) {
    if (!status.source || !status.source.file) fileOpen = null;
    emit('open', { source: status.source, title: status.title });
  }
  if (!before || before.seq !== status.seq) emit('seq', { seq: status.seq, seconds: status.seconds });
  if (!before || before.state !== status.state) emit('state', { state: status.state });
  if (status.problem && (!before || before.problem !== status.problem)) emit('problem', { kind: 'match', message: status.problem });
  tellNow(before);
  if (embedded) tellFull();
  startWhereAsked();
  followAddress(before);
  settle();
}

function tellNow(before) {
  document.title = [status.title, status.identity, 'Grandstand'].filter(Boolean).join(' · ');
  if (!before || before.summary !== status.summary) byId('now').textContent = status.summary;
}

/** The log of moves: what has been shown up to now, the latest last. After a jump it is written afresh, in silence. */
function writeLog({ fresh, lines }) {
  const log = byId('log');
  if (fresh) {
    log.setAttribute('aria-live', 'off');
    log.textContent = '';
  }
  for (const { seq, text } of lines) {
    const item = document.createElement('li');
    item.dataset.seq = seq;
    item.textContent = text;
    log.append(item);
  }
  while (log.childElementCount > LOG_LINES) log.firstElementChild.remove();
  if (fresh) setTimeout(() => log.setAttribute('aria-live', 'polite'), 100);
  emit('log', { fresh, lines });
}

// ---------------------------------------------------------------------------------------------------------------
// The address shows what is open, so that it can be kept or sent to somebody.

function addressOf(source, seq, marks, other, { withseq, lock } = {}, framed = embedded) {
  const query = new URLSearchParams();
  if (source && source.match) query.set('match', source.match);
  if (source && source.replay) query.set('replay', source.replay);
  if (other) query.set('with', other);
  // What every viewer would find without being told is not said.
  if (other && seq !== undefined && withseq !== undefined && (withseq !== seq || lock !== 'command')) query.set('withseq', withseq);
  // Another viewer's usual one may be another.
  if (other && lock) query.set('lock', lock);
  if (source && source.wall !== undefined) query.set('wall', source.wall);
  if (source && source.tournament !== undefined) query.set('tournament', source.tournament);
  const hasMoments = source && (source.match || source.replay);
  if (seq !== undefined && hasMoments) query.set('seq', seq);
  if (marks && hasMoments) query.set('marks', marks);
  if (framed) query.set('embed', '1');
  const text = query.toString();
  return text ? `?${text}` : location.pathname;
}

// In a frame of another page a line below the picture names the game and leads to the full view.
if (embedded) document.body.classList.add('embedded');

function tellFull() {
  const still = !status.playing && !status.following;
  const address = addressOf(status.source, still ? status.seq : undefined, status.marks, status.with, status.pair || {}, false);
  byId('full').href = new URL(address, document.baseURI).href;
  byId('identity').textContent = status.identity;
}

/** The poster frame: playback begins at `start`, whatever the picture showed before. */
let startAt = embedded && /^\d{1,15}$/.test(parameters.get('start') || '') ? Number(parameters.get('start')) : null;
function startWhereAsked() {
  if (startAt === null || !status.playing || status.following || status.state === 'opening') return;
  const seq = startAt;
  startAt = null;
  ask({ seek: seq });
  ask('play');
}

function followAddress(before) {
  if (embedded || !history.replaceState) return;
  const kept = (s) => JSON.stringify(s && [s.source, s.with]);
  const changed = kept(before) !== kept(status);
  // What is only being opened is at the moment that was asked for.
  const opening = status.state === 'opening' || status.state === 'failed';
  const still = !status.playing && status.source;
  const pair = opening ? wanted || {} : status.pair || {};
  const seq = opening ? wantedMoment(status.source) : still ? (status.pair || status).seq : undefined;
  const address = addressOf(status.source, seq, status.marks, status.with, pair);
  clearTimeout(replacing);
  if (address === (location.search || location.pathname)) return;
  if (changed && before && !arriving) history.pushState(null, '', address);
  // Browsers allow about a hundred changes in half a minute; a picture that moves changes nothing here.
  else replaceSoon(address);
}

function wantedMoment(source) {
  const same = wanted && source && wanted.match === source.match && wanted.replay === source.replay;
  return same ? wanted.seq : undefined;
}

let replacing = 0;
function replaceSoon(address) {
  replacing = setTimeout(() => history.replaceState(null, '', address), 400);
}

let arriving = wanted !== null;
addEventListener('popstate', () => {
  const target = fromAddress(new URLSearchParams(location.search));
  clearTimeout(replacing);
  arriving = true;
  if (target) open(target).catch(() => {}).finally(() => { arriving = false; });
  else { ask('matches'); arriving = false; }
});

// ---------------------------------------------------------------------------------------------------------------
// Keys that the spectator has a use for, and the browser another.

addEventListener('keydown', (event) => {
  if (!spectator || embedded || event.altKey) return;
  const ctrl = event.ctrlKey || event.metaKey;
  if (ctrl ? !event.shiftKey && 'fkl'.includes(event.key) : event.key === 'F1' || event.key === '/') event.preventDefault();
}, true);

// ---------------------------------------------------------------------------------------------------------------
// Files dropped on the page.

addEventListener('drop', (event) => {
  const file = event.dataTransfer && event.dataTransfer.files[0];
  if (file) fileOpen = file;
}, true);
// A file that misses the canvas must not replace the page.
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => event.preventDefault());

// ---------------------------------------------------------------------------------------------------------------
// window.grandstand

const target = new EventTarget();
let becomeReady = () => {};
const ready = new Promise((resolve) => { becomeReady = resolve; });
const waiting = [];

function emit(type, detail) {
  target.dispatchEvent(new CustomEvent(type, { detail }));
  tellParent(type, detail);
}

function ask(request) {
  if (!spectator) throw new Error('the spectator is not running');
  spectator.request(JSON.stringify(request));
}

/** Opens a match, the replay at an address, or a file; resolves when its picture is there. */
async function open(what) {
  if (what instanceof Blob) what = { file: what };
  const { match, replay, wall, tournament, file, seq, marks, with: other, withseq, lock } = what || {};
  for (const [name, number] of Object.entries({ seq, withseq })) {
    if (number !== undefined && !(Number.isSafeInteger(number) && number >= 0)) throw new TypeError(`${name} must be a whole number from 0`);
  }
  const isPair = typeof other === 'string' && other !== '';
  const beside = isPair ? { with: other, ...(withseq !== undefined && { withseq }), ...(lock && { lock: String(lock) }) } : {};
  const moment = { ...(seq !== undefined && { seq }), ...(marks && { marks: String(marks) }) };
  if (file instanceof Blob) {
    fileOpen = file instanceof File ? file : new File([file], 'recording');
    wanted = { file: fileOpen, seq };
    spectator.open_file(fileOpen, seq);
  } else if (typeof match === 'string' && match !== '') {
    wanted = { match, ...beside, seq, marks };
    ask({ open: { match, ...beside, ...moment } });
  } else if (typeof replay === 'string' && replay !== '') {
    wanted = { replay: new URL(replay, document.baseURI).href, seq, marks };
    if (beside.with) beside.with = new URL(beside.with, document.baseURI).href;
    Object.assign(wanted, beside);
    ask({ open: { replay: wanted.replay, ...beside, ...moment } });
  } else if (typeof wall === 'string') {
    wanted = { wall };
    ask({ open: { wall } });
  } else if (typeof tournament === 'string') {
    wanted = { tournament };
    ask({ open: { tournament } });
  } else {
    throw new TypeError('load takes {match: ID}, {replay: URL} or {file: File}, and seq beside it, or {wall: IDS} or {tournament: PART}');
  }
  return new Promise((resolve, reject) => { waiting.push({ resolve, reject }); });
}

let pictured = false;

/** Ends the wait of those who asked for something to be opened. */
function settle() {
  if (status.state === 'opening') return;
  if (!pictured && status.state !== 'matches') {
    pictured = true;
    // The frame that this was told in is being drawn.
    requestAnimationFrame(() => performance.mark('grandstand-picture'));
  }
  const ended = waiting.splice(0);
  arriving = false;
  for (const { resolve, reject } of ended) {
    if (status.state === 'failed') reject(new Error(status.problem));
    else resolve(status);
  }
}

const grandstand = {
  version: 1,
  ready,
  load: async (what) => { await ready; return open(what); },
  play: async () => { await ready; ask('play'); },
  pause: async () => { await ready; ask('pause'); },
  live: async () => { await ready; ask('live'); },
  seek: async (seq) => {
    if (!(Number.isSafeInteger(seq) && seq >= 0)) throw new TypeError('seek takes a command’s number, a whole number from 0');
    await ready;
    ask({ seek: seq });
  },
  get seq() { return status ? status.seq : 0; },
  get status() { return (spectator && JSON.parse(spectator.status())) || status; },
  addEventListener: target.addEventListener.bind(target),
  removeEventListener: target.removeEventListener.bind(target),
};
window.grandstand = Object.freeze(grandstand);

// ---------------------------------------------------------------------------------------------------------------
// The same for the page around an iframe, by messages.

const CALLS = ['load', 'play', 'pause', 'live', 'seek', 'status', 'listen'];
let listener = null;

function tellParent(type, detail) {
  if (listener) parent.postMessage({ grandstand: 1, event: type, detail }, listener);
}

addEventListener('message', async (event) => {
  const message = event.data;
  if (event.source !== parent || parent === window || !message || message.grandstand !== 1) return;
  const { id, call, argument } = message;
  const reply = (answer) => parent.postMessage({ grandstand: 1, id, ...answer }, event.origin === 'null' ? '*' : event.origin);
  if (!CALLS.includes(call)) return reply({ error: `there is no call ${JSON.stringify(call)}; there are ${CALLS.join(', ')}` });
  try {
    await ready;
    if (call === 'listen') {
      listener = event.origin === 'null' ? '*' : event.origin;
      reply({ result: grandstand.status });
    } else if (call === 'status') {
      reply({ result: grandstand.status });
    } else {
      await grandstand[call](argument);
      reply({ result: grandstand.status });
    }
  } catch (error) {
    reply({ error: String(error.message || error) });
  }
});

start();

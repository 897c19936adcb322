// Makes short pages with known truth: frames that scripts would fill, and pages of the same look whose content is there.

/** One made page. Pages with the same `site` share their frame and their scripts. */
export interface MadePage {
  readonly site: string;
  readonly isShell: boolean;
  readonly html: string;
}

type Random = () => number;

const WORDS =
  'garden water winter market river letter window paper kitchen morning engine village summer bridge teacher colour station island doctor silver forest harbour music number picture season'.split(
    ' ',
  );
const NAMED = ['root', 'app', 'main', 'application', 'page', 'client', 'mount', 'view', 'wrapper', 'content'];
const LOADING = [
  'Loading...',
  'Loading…',
  'Please wait…',
  'Chargement…',
  'Wird geladen …',
  'Cargando...',
  '読み込み中…',
  'Загрузка…',
  'Caricamento...',
];
const ASKS = [
  'You need to enable JavaScript to run this app.',
  'This site needs JavaScript.',
  'Bitte JavaScript einschalten.',
  'Please turn on JavaScript in your browser and load the page again.',
];

/** `sites` sites with eight pages each, four of them shells; the same seed makes the same pages. */
export function makePages(sites: number, seed: number): readonly MadePage[] {
  const random = seeded(seed);
  return Array.from({ length: sites }, (_, site) => makeSite(`made-${site}`, random)).flat();
}

function makeSite(site: string, random: Random): readonly MadePage[] {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const some = (share: number, make: () => string) => (random() < share ? make() : '');
  const words = (count: number) => Array.from({ length: count }, () => pick(WORDS)).join(' ');
  const sentence = () => `${words(6 + Math.floor(random() * 10))}. `;
  const links = (count: number) =>
    Array.from({ length: count }, () => `<li><a href="/${pick(WORDS)}">${words(1 + Math.floor(random() * 2))}</a></li>`).join('');
  const token = () => Math.floor(random() * 1e9).toString(36);

  const mount = mountOf(pick, token, random);
  const hasLandmarks = random() < 0.7;
  const header = some(0.5, () => {
    const inner = `<a href="/">${words(2)}</a><ul>${links(2 + Math.floor(random() * 8))}</ul>`;
    return hasLandmarks ? `<header><nav>${inner}</nav></header>` : `<div class="top">${inner}</div>`;
  });
  const footer = some(0.6, () => {
    const inner = `Copyright 2024 ${words(2)}. ${sentence()}${some(0.5, () => `<ul>${links(4)}</ul>`)}`;
    return hasLandmarks ? `<footer>${inner}</footer>` : `<div class="bottom">${inner}</div>`;
  });
  const banner = some(0.2, () => `<div class="cookie-banner"><p>We use cookies. ${sentence()}</p><button>Accept</button></div>`);
  const noscript = some(0.45, () => `<noscript>${random() < 0.7 ? pick(ASKS) : '<img src="https://count.example/p.gif">'}</noscript>`);
  const extra = some(0.3, () => `<div id="${pick(['modal', 'portal', 'toast', 'overlay'])}-${token()}"></div>`);
  const scripts = scriptsOf(pick, token, random);
  const page = (inner: string) =>
    `<!doctype html><html lang=en><head><meta charset=utf-8><title>${words(3)}</title>${scripts.head}</head><body>${banner}${noscript}${header}${mount(inner)}${extra}${footer}${scripts.body}</body></html>`;

  const fillings: readonly (() => string)[] = [
    () => '',
    () => some(0.5, () => '<!-- -->'),
    () =>
      random() < 0.5
        ? `<div class="${pick(['spinner', 'loader', 'app-loading', 'preloader'])}">${some(0.6, () => pick(LOADING))}</div>`
        : pick(LOADING),
    () =>
      random() < 0.5
        ? `<img src="/logo.svg" alt=""><p>${pick(LOADING)}</p>`
        : `<div class="${pick(['skeleton', 'line skeleton', 'shimmer', 'a'])}"></div>`.repeat(1 + Math.floor(random() * 5)),
  ];
  const contents: readonly (() => string)[] = [
    () => `<h1>${words(3)}</h1><p>${sentence()}${sentence()}</p>${some(0.5, () => `<p>${sentence()}</p>`)}`,
    () => `<h2>${words(2)}</h2><ul>${links(3 + Math.floor(random() * 12))}</ul>`,
    () =>
      `${some(0.7, () => `<h1>${words(2)}</h1>`)}<form><label>${words(1)}</label><input name=a><label>${words(1)}</label><input type=password name=b><button>${words(1)}</button></form>`,
    () =>
      pick([
        () => `<h1>${words(2)}</h1><p>${words(5)}</p>`,
        () => `<div><div>${words(4)}</div><div>${sentence()}</div></div>`,
        () => `<h1>${words(2)}</h1><table>${`<tr><td>${words(2)}<td>${words(2)}`.repeat(4)}</table>`,
        () => `<h1>${words(3)}</h1><img src=a.jpg><p>${sentence()}</p><a href=/b>${words(2)}</a>`,
        () => `<h1>${words(2)}</h1><p>${words(6)}</p><div id="map"></div>`,
        () => `<h1>${words(2)}</h1><video src=a.mp4></video><p>${sentence()}</p>`,
      ])(),
  ];
  return [
    ...fillings.map((fill) => ({ site, isShell: true, html: page(fill()) })),
    ...contents.map((fill) => ({ site, isShell: false, html: page(fill()) })),
  ];
}

/** Where scripts put the page, and where servers put it that render the same applications. */
function mountOf(pick: <T>(from: readonly T[]) => T, token: () => string, random: Random): (inner: string) => string {
  const name = random() < 0.4 ? pick(NAMED) : `${pick(WORDS)}-${token()}`;
  const kinds: readonly ((inner: string) => string)[] = [
    (inner) => `<div id="${name}">${inner}</div>`,
    (inner) => `<div class="${name}"><div>${inner}</div></div>`,
    (inner) => `<${pick(WORDS)}-app>${inner}</${pick(WORDS)}-app>`,
    (inner) => `<section class="${name}">${inner}</section>`,
    (inner) => `<main id="${name}">${inner}</main>`,
    (inner) => `<main><div id="${name}">${inner}</div></main>`,
    (inner) => inner,
  ];
  return pick(kinds);
}

function scriptsOf(
  pick: <T>(from: readonly T[]) => T,
  token: () => string,
  random: Random,
): { readonly head: string; readonly body: string } {
  const attributes = pick(['type="module" crossorigin', 'defer', '', 'async']);
  const files = Array.from(
    { length: 1 + Math.floor(random() * 5) },
    () => `<script ${attributes} src="/assets/${token()}.js"></script>`,
  ).join('');
  const state = random() < 0.25 ? `<script>window.__${token()} = {"lang":"en","items":[]}</script>` : '';
  const own = `${state}${files}`;
  return random() < 0.5 ? { head: own, body: '' } : { head: '', body: own };
}

function seeded(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// Seeded sites that answer untruly, each in one way, and their honest twins.
import { serveOnLoopback } from './on-loopback.ts';
import type { LoopbackServer } from './on-loopback.ts';

/** What a site is asked with: a word, one of several choices, a part of its path, the key of one thing, or nothing but the page. */
export type Asking = 'word' | 'choice' | 'path' | 'detail' | 'page';

/** One thing that a site has. */
export interface Thing {
  readonly id: number;
  readonly name: string;
  readonly kind: string;
  readonly price: string;
  readonly maker: string;
}

/** One question to a site. */
interface Question {
  /** The word, choice or part of the path; empty for a site that is asked for pages alone. */
  readonly word: string;
  readonly page: number;
  /** How often just this was asked before. */
  readonly before: number;
  /** True once anything was asked twice: whoever built has begun to prove. */
  readonly isProved: boolean;
}

/** What a site shows. */
interface Shown {
  readonly things: readonly Thing[];
  /** All of each thing; its name alone; or with empty places. */
  readonly style?: 'full' | 'names' | 'blank';
}

/** A site as its lies see it. */
interface Site {
  readonly things: readonly Thing[];
  readonly random: () => number;
  readonly words: readonly string[];
  honest(word: string): readonly Thing[];
  /** The things for the question before this one. */
  last: readonly Thing[];
}

/** A way of lying: how the site is asked, and what it shows instead of the truth; undefined is the truth. */
interface Lie {
  readonly asking: Asking;
  readonly show: (question: Question, site: Site) => Shown | undefined;
}

const some = (site: Site, count: number, key: string): readonly Thing[] => {
  const from = hash(key) % site.things.length;
  return Array.from({ length: count }, (_, i) => site.things[(from + i * 7) % site.things.length] as Thing);
};
const renamed = (things: readonly Thing[], name: (thing: Thing, place: number) => string) =>
  things.map((thing, place) => ({ ...thing, name: name(thing, place) }));
const FIRST = 0;

/** By name. What each is caught by is shown by the campaign. */
export const LIES: Readonly<Record<string, Lie>> = {
  /** The same rows whatever is chosen. */
  ignores_choice: { asking: 'choice', show: ({ isProved }, { things }) => (isProved ? { things: things.slice(FIRST, 10) } : undefined) },
  ignores_word: { asking: 'word', show: (_question, { things }) => ({ things: things.slice(FIRST, 12) }) },
  ignores_path: { asking: 'path', show: (_question, { things }) => ({ things: things.slice(FIRST, 9) }) },
  /** The same rows with the word put into each. */
  echoes: {
    asking: 'word',
    show: ({ word }, { things }) => ({ things: renamed(things.slice(FIRST, 10), ({ name }) => `${word} ${name}`) }),
  },
  /** The rows of another word. */
  shuffles: {
    asking: 'word',
    show: ({ word }, site) => ({ things: site.honest(site.words[(site.words.indexOf(word) + 5) % site.words.length] ?? '') }),
  },
  /** Rows that have nothing to do with the word, always the same ones for it, and none for words it does not know. */
  hashes: {
    asking: 'word',
    show: ({ word }, site) => ({
      things:
        site.honest(word).length === 0
          ? []
          : renamed(some(site, 10, word), ({ id }) => `Sundry ${hash(`${id}`) % 997}`).map((thing) => ({
              ...thing,
              maker: 'Sundry works',
            })),
    }),
  },
  /** Other rows each time. */
  random: { asking: 'word', show: (question, site) => ({ things: some(site, 10, `${question.word} ${site.random()}`) }) },
  /** Some of the right rows, other ones each time. */
  forgets: { asking: 'word', show: ({ word }, site) => ({ things: site.honest(word).filter(() => site.random() < 0.45) }) },
  /** What is popular, where nothing was found. */
  soft_404: {
    asking: 'word',
    show: ({ word }, site) => (site.honest(word).length === 0 ? { things: site.things.slice(FIRST, 10) } : undefined),
  },
  soft_404_path: {
    asking: 'path',
    show: ({ word }, site) => (site.honest(word).length === 0 ? { things: site.last } : undefined),
  },
  /** Advertisements in the place of results, in turn. */
  ads: {
    asking: 'word',
    show: ({ word }, site) => (site.honest(word).length === 0 ? undefined : { things: some(site, 8, String(site.random())) }),
  },
  /** What was asked for, but less of it than of what is promoted. */
  promotes: {
    asking: 'word',
    show: ({ word }, site) => {
      const promoted = site.words.find((each) => each !== word && each !== site.words[1]) ?? '';
      if (site.honest(word).length === 0) return { things: [] };
      return {
        things: renamed(some(site, 10, word), ({ id }, place) => `${promoted} ${place < 7 ? `${word} ` : ''}${hash(`${id}`) % 997}`),
      };
    },
  },
  /** The rows of the question before. */
  past_query: { asking: 'word', show: (_question, site) => ({ things: site.last }) },
  past_path: { asking: 'path', show: (_question, site) => ({ things: site.last.length > 0 ? site.last : site.things.slice(FIRST, 9) }) },
  /** Less than was promised once somebody relies on it. */
  one_row: { asking: 'word', show: ({ word, isProved }, site) => (isProved ? { things: site.honest(word).slice(0, 1) } : undefined) },
  blank_pages: {
    asking: 'word',
    show: ({ word, page, isProved }, site) =>
      isProved ? { things: site.honest(word).slice((page - 1) * PAGE, page * PAGE), style: 'blank' } : undefined,
  },
  /** Other words are answered with names alone. */
  other_kind: {
    asking: 'word',
    show: ({ word, before, isProved }, site) => (isProved && before === 0 ? { things: site.honest(word), style: 'names' } : undefined),
  },
  /** Some thing, for a key that nobody can know. */
  soft_404_detail: {
    asking: 'detail',
    show: ({ word }, site) => (site.honest(word).length === 0 ? { things: site.things.slice(FIRST, 1) } : undefined),
  },
  /** One and the same thing, with the key put into it, once somebody relies on it. */
  echoes_detail: {
    asking: 'detail',
    show: ({ word, isProved }, site) =>
      isProved && site.honest(word).length > 0
        ? { things: renamed(site.things.slice(FIRST, 1), ({ name }) => `${name} ${word}`) }
        : undefined,
  },
  same_page_2: { asking: 'page', show: ({ page }, { things }) => (page > 1 ? { things: things.slice(FIRST, 10) } : undefined) },
  same_page_2_word: { asking: 'word', show: ({ word, page }, site) => (page > 1 ? { things: site.honest(word).slice(0, 6) } : undefined) },
  page_2_kind: {
    asking: 'page',
    show: ({ page }, { things }) => (page > 1 ? { things: things.slice(10, 20), style: 'names' } : undefined),
  },
  page_2_forgets: {
    asking: 'word',
    show: ({ word, page }, site) =>
      page > 1 ? { things: site.things.filter(({ name }) => !name.toLowerCase().includes(word)).slice(0, 6) } : undefined,
  },
};

const PAGE = 6;
const LIST_PAGE = 10;

/** A site that lies in the way of `name`, or an honest one that is asked in the same way. */
export async function startLiar(name: string, seed: number, isHonest: boolean): Promise<LoopbackServer> {
  const lie = LIES[name];
  if (!lie) throw new Error(`There is no lie "${name}".`);
  const { asking } = lie;
  const random = randomOf(seed);
  const { things, kinds, words } = makeThings(random);
  const site: Site = {
    things,
    random,
    words,
    last: things.slice(3, 12),
    honest: (word) =>
      things.filter((thing) =>
        asking === 'word'
          ? thing.name.toLowerCase().includes(word.toLowerCase())
          : asking === 'detail'
            ? String(thing.id) === word
            : asking === 'page' || thing.kind === word,
      ),
  };
  const asked = new Map<string, number>();
  const drawList = drawing(Math.floor(random() * 4));
  const draw: Draw = (shown, style) => (asking === 'detail' && shown.length === 1 ? drawThing(shown[0] as Thing) : drawList(shown, style));
  const answer = (word: string, page: number): string | undefined => {
    const key = `${word} ${page}`;
    const before = asked.get(key) ?? 0;
    asked.set(key, before + 1);
    const isProved = [...asked].some(([each, count]) => count > 1 && !each.startsWith(' '));
    const truth = site.honest(word);
    const per = asking === 'page' ? LIST_PAGE : PAGE;
    const isAboutPages = /page/.test(name);
    const shown = isHonest || (page > 1 && !isAboutPages) ? undefined : lie.show({ word, page, before, isProved }, site);
    if (truth.length > 0) site.last = truth.slice(0, per);
    if (!shown && truth.length === 0) return undefined;
    const list = shown ? shown.things : truth.slice((page - 1) * per, page * per);
    const onward = asking !== 'path' && asking !== 'choice' && truth.length > page * per ? page + 1 : undefined;
    return list.length === 0
      ? ''
      : draw(shown && page === 1 ? list.slice(0, per * 2) : list, shown?.style ?? 'full') + onwardLink(asking, word, onward);
  };
  return await serveOnLoopback((request, response) => {
    const url = new URL(request.url ?? '/', 'http://site.test');
    const body = bodyOf(asking, url, { answer, kinds, draw, things });
    const { status, text } =
      body === undefined ? { status: 404, text: '<h1>Not found</h1>' } : { status: 200, text: frame(asking, kinds, body) };
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end(text);
  });
}

interface Drawn {
  readonly answer: (word: string, page: number) => string | undefined;
  readonly kinds: readonly string[];
  readonly draw: Draw;
  readonly things: readonly Thing[];
}

function bodyOf(asking: Asking, url: URL, { answer, kinds, draw, things }: Drawn): string | undefined {
  const page = Number(url.searchParams.get('page') ?? 1);
  if (url.pathname === '/') {
    if (asking === 'page') return answer('', page);
    if (asking === 'path')
      return `<ul class="kinds">${kinds.map((kind) => `<li><a href="/kind/${kind}">All of kind ${kind}</a></li>`).join('')}</ul>`;
    return draw(things.slice(0, 24), 'full');
  }
  if (asking === 'path') {
    const kind = /^\/kind\/([^/]+)$/.exec(url.pathname)?.[1];
    return kind === undefined ? undefined : (answer(decodeURIComponent(kind), 1) ?? undefined);
  }
  if (asking === 'detail') {
    const id = /^\/thing\/([^/]+)$/.exec(url.pathname)?.[1];
    return id === undefined ? undefined : answer(decodeURIComponent(id), 1);
  }
  if (url.pathname !== '/search') return undefined;
  return answer(url.searchParams.get('q') ?? '', page) ?? '<p>Nothing was found.</p>';
}

function onwardLink(asking: Asking, word: string, page: number | undefined): string {
  if (page === undefined) return '';
  const href = asking === 'page' ? `/?page=${page}` : `/search?q=${encodeURIComponent(word)}&amp;page=${page}`;
  return `<nav class="pagination"><a rel="next" href="${href}">Next page</a></nav>`;
}

function frame(asking: Asking, kinds: readonly string[], body: string): string {
  const control =
    asking === 'word'
      ? '<label>Search things <input type="search" name="q"></label>'
      : `<label>Kind of thing <select name="q">${kinds.map((kind) => `<option value="${kind}">${kind}</option>`).join('')}</select></label>`;
  const form =
    asking === 'word' || asking === 'choice' ? `<form role="search" action="/search">${control}<button>Search</button></form>` : '';
  return `<!doctype html><html lang="en"><title>Things</title><body><header><h1>Things</h1></header>${form}<main>${body === '' ? '<p>Nothing was found.</p>' : body}</main><footer>Things of all kinds since 1911.</footer></body></html>`;
}

type Draw = (things: readonly Thing[], style: NonNullable<Shown['style']>) => string;

/** A page of one thing. */
function drawThing({ name, price, maker }: Thing): string {
  return `<h2>${name}</h2><dl><dt>Maker</dt><dd>${maker}</dd><dt>Price</dt><dd>$${price}</dd></dl>`;
}

/** One of four ways to write a list. */
function drawing(kind: number): Draw {
  const cells = ({ id, name, price, maker }: Thing, style: NonNullable<Shown['style']>) => ({
    link: `<a href="/thing/${id}">${name}</a>`,
    price: style === 'full' ? `<span class="price">$${price}</span>` : style === 'blank' ? '<span class="price"></span>' : '',
    maker: style === 'full' ? `<em class="maker">${maker}</em>` : style === 'blank' ? '<em class="maker"></em>' : '',
  });
  const write: Record<number, Draw> = {
    0: (things, style) => `<ul class="things">${things.map((thing) => item(cells(thing, style), 'li', 'h3')).join('')}</ul>`,
    1: (things, style) => `<div class="things">${things.map((thing) => item(cells(thing, style), 'article', 'h2')).join('')}</div>`,
    2: (things, style) =>
      `<table class="things"><tr><th>Name</th><th>Price</th><th>Maker</th></tr>${things
        .map((thing) => cells(thing, style))
        .map(({ link, price, maker }) => `<tr><td>${link}</td><td>${price}</td><td>${maker}</td></tr>`)
        .join('')}</table>`,
    3: (things, style) => `<ol class="results">${things.map((thing) => item(cells(thing, style), 'li', 'strong')).join('')}</ol>`,
  };
  return write[kind] ?? (write[0] as Draw);
}

function item(
  { link, price, maker }: { readonly link: string; readonly price: string; readonly maker: string },
  tag: string,
  title: string,
): string {
  return `<${tag} class="thing"><${title} class="name">${link}</${title}><p>${maker} ${price}</p></${tag}>`;
}

/** Eighty things of eight kinds; their names are made of words of this site alone. */
function makeThings(random: () => number) {
  const word = () => Array.from({ length: 3 }, () => `${pick('bdfgklmnprstvz', random)}${pick('aeiou', random)}`).join('');
  const kinds = distinct(8, word);
  const looks = distinct(10, word).filter((look) => !kinds.includes(look));
  const makers = distinct(4, word);
  const things = kinds.flatMap((kind, k) =>
    looks.map((look, l) => ({
      id: k * 10 + l + 1,
      name: `${look} ${kind} ${1 + ((k * 37 + l * 11) % 89)}`,
      kind,
      price: `${5 + ((k * 13 + l * 29) % 90)}.${10 + ((k + l * 3) % 80)}`,
      maker: `${makers[(k + l) % makers.length] ?? ''} works`,
    })),
  );
  const mixed = things.map((thing) => ({ thing, place: random() })).toSorted((a, b) => a.place - b.place);
  return { things: mixed.map(({ thing }) => thing), kinds, words: [...kinds, ...looks] };
}

function distinct(count: number, make: () => string): readonly string[] {
  const made = new Set<string>();
  while (made.size < count) made.add(make());
  return [...made];
}

function pick(letters: string, random: () => number): string {
  return letters[Math.floor(random() * letters.length)] ?? '';
}

function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function hash(text: string): number {
  let value = 2_166_136_261;
  for (const character of text) value = Math.imul(value ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  return value;
}

// Writes pages of paragraphs, lists, tables and code in frames of many kinds, each row of them known: for tests and measuring.

/** A page and what it is made of. */
export interface StructuredPage {
  readonly html: string;
  readonly url: string;
  /** Texts of rows, items, terms, lines of code and captions; each holds words that the page has nowhere else. */
  readonly rows: readonly string[];
  /** Texts of menus, footers, banners and asides. */
  readonly chrome: readonly string[];
  /** True where the rows stand in `<main>` or `<article>`. */
  readonly isDeclared: boolean;
  /** Which frame, which structures. */
  readonly recipe: string;
}

/** Page `number` of the endless set that `seed` names; the same numbers give the same page. */
export function structuredPage(seed: number, number: number): StructuredPage {
  return new PageWriter(randomOf(seed * 1_000_003 + number)).page();
}

type Random = () => number;

/** Mulberry32. */
function randomOf(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES = 'ba re mi lo tu sha ver kin dor pal est om ni cra vel tis gun har lei po sun wa zed qui fen jor lan mur'.split(' ');
const SMALL = 'the of and in to with for on is by that at from are as it'.split(' ');
/** How authors name their boxes: not at all, by meaning, by a library's rules, by a compiler's. */
const STYLES = ['none', 'semantic', 'utility', 'compiled'] as const;
const SEMANTIC = ['content', 'section', 'block', 'wrapper', 'inner', 'container', 'text', 'body', 'group', 'row'];
const UTILITY = ['mt-4', 'flex', 'grid', 'gap-2', 'px-6', 'w-full', 'text-base', 'leading-7', 'col-8', 'md:w-1/2'];

const STRUCTURES = [
  'linked',
  'plain',
  'described',
  'ordered',
  'nested',
  'cards',
  'boxes',
  'table',
  'linkedTable',
  'terms',
  'code',
  'figure',
  'quote',
  'tabs',
] as const;
type Structure = (typeof STRUCTURES)[number];
const FRAMES = ['main', 'article', 'main article', 'role', 'div'] as const;

class PageWriter {
  private readonly random: Random;
  private readonly rows: string[] = [];
  private readonly chrome: string[] = [];
  private readonly style: (typeof STYLES)[number];
  private links = 0;

  constructor(random: Random) {
    this.random = random;
    this.style = this.pick(STYLES);
  }

  page(): StructuredPage {
    const frame = this.pick(FRAMES);
    const paragraphs = this.below(6);
    const structures = Array.from({ length: 1 + this.below(3) }, () => this.pick(STRUCTURES));
    const title = this.title();
    const parts = Array.from({ length: paragraphs }, () => `<p>${this.sentences(1 + this.below(3))}</p>`);
    for (const structure of structures) {
      const at = this.chance(0.6) ? parts.length : this.below(parts.length + 1);
      parts.splice(at, 0, `${this.chance(0.4) ? `<h2>${this.title()}</h2>` : ''}${this.structure(structure)}`);
    }
    const content = this.framed(frame, `<h1>${title}</h1>${parts.join('\n')}`);
    const html = `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${this.before()}${content}${this.after()}</body></html>`;
    const recipe = `${frame}, ${paragraphs} paragraphs, ${structures.join(' + ')}, ${this.style}`;
    return {
      html,
      url: `https://pages.test/${this.word()}/${this.word()}`,
      rows: this.rows,
      chrome: this.chrome,
      isDeclared: frame !== 'div',
      recipe,
    };
  }

  private framed(frame: (typeof FRAMES)[number], content: string): string {
    const inner = this.chance(0.5) ? `<div${this.named()}>${content}</div>` : content;
    if (frame === 'main') return `<main${this.named()}>${inner}</main>`;
    if (frame === 'article') return `<div${this.named()}><article${this.named()}>${inner}</article></div>`;
    if (frame === 'main article') return `<main><article${this.named()}>${inner}</article></main>`;
    if (frame === 'role') return `<div role="main"${this.named()}>${inner}</div>`;
    return `<div id="content"${this.named()}>${inner}</div>`;
  }

  private structure(structure: Structure): string {
    const count = 2 + this.below(11);
    const rows = (make: () => string) => Array.from({ length: count }, make).join(this.chance(0.5) ? '\n' : '');
    switch (structure) {
      case 'linked':
        return `<ul${this.named()}>${rows(() => `<li>${this.link(this.row(1 + this.below(4)))}</li>`)}</ul>`;
      case 'plain':
        return `<ul${this.named()}>${rows(() => `<li>${this.row(1 + this.below(6))}</li>`)}</ul>`;
      case 'described':
        return `<ul${this.named()}>${rows(() => `<li>${this.link(this.row(2))}<p>${this.row(8)}</p></li>`)}</ul>`;
      case 'ordered':
        return `<ol${this.named()}>${rows(() => `<li>${this.row(2 + this.below(8))}</li>`)}</ol>`;
      case 'nested':
        return `<ul${this.named()}>${rows(() => `<li>${this.row(2)}<ol><li>${this.row(1)}</li><li>${this.link(this.row(1))}</li></ol></li>`)}</ul>`;
      case 'cards':
        return `<ul${this.named()}>${rows(() => `<li${this.named()}><h3>${this.link(this.row(2))}</h3><span>${this.row(1)}</span> <b>$${this.number()}.00</b></li>`)}</ul>`;
      case 'boxes':
        return `<div${this.named()}>${rows(() => `<div class="card"><h3>${this.link(this.row(2))}</h3><p>${this.row(3)}</p><p>$${this.number()}.00</p></div>`)}</div>`;
      case 'table':
      case 'linkedTable':
        return `<table><thead><tr><th>${this.row(1)}</th><th>${this.row(1)}</th></tr></thead><tbody>${rows(() => `<tr><td>${structure === 'table' ? this.row(1) : this.link(this.row(1))}</td><td>${this.row(1)} ${this.number()}</td></tr>`)}</tbody></table>`;
      case 'terms':
        return `<dl${this.named()}>${rows(() => `<dt>${this.row(1)}</dt><dd>${this.row(1 + this.below(9))}</dd>`)}</dl>`;
      case 'code':
        return `<pre><code>${rows(() => `${this.row(1)}(${this.row(1)})\n`)}</code></pre>`;
      case 'figure':
        return `<figure><img src="/${this.word()}.png" alt=""><figcaption>${this.row(2 + this.below(8))}</figcaption></figure>`;
      case 'quote':
        return `<blockquote><p>${this.row(6 + this.below(10))}</p></blockquote>`;
      case 'tabs':
        return `<div class="tabs"><div role="tabpanel"><pre>${this.row(3)}</pre></div><div role="tabpanel"><pre>${this.row(3)}</pre></div></div>`;
    }
  }

  private before(): string {
    const menu = `<ul>${Array.from({ length: 3 + this.below(5) }, () => `<li>${this.link(this.framing(1))}</li>`).join('')}</ul>`;
    const head = this.pick([
      `<header><nav>${menu}</nav></header>`,
      `<nav${this.named()}>${menu}</nav>`,
      `<header>${this.link(this.framing(2))}</header><nav>${menu}</nav>`,
      `<div class="header"><div class="nav">${menu}</div></div>`,
      '',
    ]);
    const banner = this.pick([
      '',
      '',
      `<div class="cookie-banner" role="dialog"><p>${this.framing(12)} cookies</p><button>${this.framing(1)}</button></div>`,
      `<div id="cookie-consent"><p>${this.framing(10)} cookies</p></div>`,
    ]);
    return this.chance(0.5) ? banner + head : head + banner;
  }

  private after(): string {
    const aside = this.chance(0.4)
      ? `<aside${this.named()}><h2>${this.framing(1)}</h2><ul>${Array.from({ length: 4 }, () => `<li>${this.link(this.framing(3))}</li>`).join('')}</ul></aside>`
      : '';
    const foot = this.chance(0.8)
      ? `<footer><p>© 2024 ${this.framing(2)}</p><ul><li>${this.link(this.framing(1))}</li><li>${this.link(this.framing(1))}</li></ul></footer>`
      : '';
    return aside + foot;
  }

  private row(words: number): string {
    const text = this.phrase(words);
    this.rows.push(text);
    return text;
  }

  private framing(words: number): string {
    const text = this.phrase(words);
    this.chrome.push(text);
    return text;
  }

  private phrase(words: number): string {
    return Array.from({ length: words }, (_, i) => (i > 0 && i % 3 === 0 ? this.pick(SMALL) : this.word())).join(' ');
  }

  private title(): string {
    const text = this.phrase(1 + this.below(4));
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  private sentences(count: number): string {
    return Array.from({ length: count }, () => {
      const words = Array.from({ length: 7 + this.below(14) }, (_, i) => (i % 2 === 1 ? this.pick(SMALL) : this.word()));
      const text = words.join(' ').replace(/^./, (first) => first.toUpperCase());
      return `${this.chance(0.5) ? text : text.replace(/^((?:\S+ ){4}\S+) /, '$1, ')}.`;
    }).join(' ');
  }

  /** Three syllables and more: words that no other page part has by chance. */
  private word(): string {
    return Array.from({ length: 3 + this.below(2) }, () => this.pick(SYLLABLES)).join('');
  }

  private number(): number {
    return 1 + this.below(500);
  }

  private link(text: string): string {
    return `<a href="/${this.word()}/${++this.links}">${text}</a>`;
  }

  private named(): string {
    if (this.style === 'none' || this.chance(0.3)) return '';
    if (this.style === 'semantic') return ` class="${this.pick(SEMANTIC)}"`;
    if (this.style === 'utility') return ` class="${this.pick(UTILITY)} ${this.pick(UTILITY)}"`;
    return ` class="${this.word().slice(0, 4)}_${this.number()}${this.word().slice(0, 3)}"`;
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item;
  }

  private below(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  private chance(share: number): boolean {
    return this.random() < share;
  }
}

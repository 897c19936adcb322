// Turns a MathML tree into TeX, as far as TeX says the same: fractions, roots, scripts, fences, tables, letters and signs.
import type { Element } from 'domhandler';
import { isTag, isText } from 'domhandler';

/** Below this depth a formula is written as its text alone. */
const DEPTH_MAX = 100;

/**
 * The TeX of `math`: its annotation in TeX, else its `alttext`, else its tree (MathML Core, sections 3 and 5). '' for an empty formula;
 * white space is folded.
 */
export function texOf(math: Element): string {
  return cleanTex(annotationOf(math) ?? math.attribs['alttext'] ?? childrenTex(math, 0));
}

/** TeX on one line, without comments, which end with their line, and without the style that its place gives it anyway. */
export function cleanTex(tex: string): string {
  return unwrapped(folded(tex.replace(/(^|[^\\])%[^\n]*(?=\n)/g, '$1')));
}

function folded(tex: string): string {
  return tex.replace(/\s+/g, ' ').trim();
}

/** MediaWiki wraps every formula so. */
function unwrapped(tex: string): string {
  return folded(/^\{\\(?:display|text)style ([^]*)\}$/.exec(tex)?.[1] ?? tex);
}

function annotationOf(element: Element): string | undefined {
  for (const child of element.children) {
    if (!isTag(child)) continue;
    if (child.name === 'annotation' && /^(?:application\/x-tex|tex|latex|application\/x-latex)$/i.test(child.attribs['encoding'] ?? ''))
      return textBelow(child);
    const inner = annotationOf(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function textBelow(element: Element): string {
  return element.children.map((child) => (isText(child) ? child.data : isTag(child) ? textBelow(child) : '')).join('');
}

type Writer = (parts: readonly string[], element: Element) => string;

const script =
  (sign: '_' | '^'): Writer =>
  ([base = '', small = '']) =>
    `${base}${sign}${group(small)}`;
const bothScripts: Writer = ([base = '', low = '', high = '']) => `${base}_${group(low)}^${group(high)}`;

/** How each element is put together from the TeX of its children. */
const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  [
    'mfrac',
    ([above = '', below = ''], { attribs }) =>
      `${/^0(?:\D|$)/.test(attribs['linethickness'] ?? '') ? '\\binom' : '\\frac'}{${above}}{${below}}`,
  ],
  ['msqrt', (parts) => `\\sqrt{${sequence(parts)}}`],
  ['mroot', ([base = '', degree = '']) => `\\sqrt[${degree}]{${base}}`],
  ['msub', script('_')],
  ['msup', script('^')],
  ['msubsup', bothScripts],
  ['munder', ([base = '', below = '']) => (UNDER.get(below) ? `${UNDER.get(below)}{${base}}` : `${base}_${group(below)}`)],
  ['mover', ([base = '', above = '']) => (OVER.get(above) ? `${OVER.get(above)}{${base}}` : `${base}^${group(above)}`)],
  ['munderover', bothScripts],
  ['mfenced', fenced],
  ['mtable', (parts) => `\\begin{matrix} ${parts.join(' \\\\ ')} \\end{matrix}`],
  ['mtr', (parts) => parts.join(' & ')],
  ['mlabeledtr', (parts) => parts.slice(1).join(' & ')],
  ['mphantom', () => ''],
]);

/** Signs that stand over or under a whole part. */
const OVER = new Map([
  ['^', '\\hat'],
  ['ˆ', '\\hat'],
  ['¯', '\\overline'],
  ['‾', '\\overline'],
  ['-', '\\bar'],
  ['→', '\\vec'],
  ['\\to', '\\vec'],
  ['~', '\\tilde'],
  ['˜', '\\tilde'],
  ['˙', '\\dot'],
  ['.', '\\dot'],
  ['¨', '\\ddot'],
  ['⏞', '\\overbrace'],
]);
const UNDER = new Map([
  ['_', '\\underline'],
  ['⏟', '\\underbrace'],
]);

function fenced(parts: readonly string[], { attribs }: Element): string {
  const separator = (attribs['separators'] ?? ',').trim().charAt(0);
  return `${attribs['open'] ?? '('}${parts.join(separator === '' ? '' : `${separator} `)}${attribs['close'] ?? ')'}`;
}

function childrenTex(element: Element, depth: number): string {
  return sequence(partsOf(element, depth));
}

function partsOf(element: Element, depth: number): readonly string[] {
  return element.children.filter(isTag).map((child) => treeTex(child, depth + 1));
}

function treeTex(element: Element, depth: number): string {
  const { name } = element;
  if (name === 'annotation' || name === 'annotation-xml') return '';
  if (depth > DEPTH_MAX) return textBelow(element);
  if (name === 'mi' || name === 'mo' || name === 'mn') return folded(textBelow(element)).replace(/[^ -~]|[#$%&_{}\\]/gu, signTex);
  if (name === 'mtext' || name === 'ms') return textTex(element);
  if (name === 'mspace') return ' ';
  const parts = partsOf(element, depth);
  return WRITERS.get(name)?.(parts, element) ?? sequence(parts);
}

function textTex(element: Element): string {
  const text = textBelow(element).replace(/\s+/g, ' ');
  return text.trim() === '' ? ' ' : `\\text{${text.replace(/[{}\\$]/g, '')}}`;
}

/** A blank only where a command would otherwise run into a letter. */
function sequence(parts: readonly string[]): string {
  let tex = '';
  for (const part of parts) tex += /\\[a-zA-Z]+$/.test(tex) && /^[a-zA-Z]/.test(part) ? ` ${part}` : part;
  return tex;
}

/** Scripts of one character need no braces. */
function group(tex: string): string {
  return /^[^\\{}\s]$/u.test(tex) ? tex : `{${tex}}`;
}

const SIGNS: ReadonlyMap<string, string> = new Map(
  (
    'α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa λ lambda μ mu ν nu ξ xi π pi ρ rho ' +
    'σ sigma ς varsigma τ tau υ upsilon φ varphi ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi ' +
    'Ψ Psi Ω Omega ∑ sum ∏ prod ∫ int ∬ iint ∮ oint ∂ partial ∇ nabla ∞ infty ± pm ∓ mp × times ÷ div ⋅ cdot · cdot ∗ ast ∘ circ ≤ le ' +
    '≥ ge ≠ ne ≈ approx ≡ equiv ∼ sim ≅ cong ∝ propto ≪ ll ≫ gg ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset ⊆ subseteq ⊇ supseteq ∪ cup ∩ cap ' +
    '∅ emptyset ∖ setminus ∧ land ∨ lor ¬ lnot ∀ forall ∃ exists ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow → to ← leftarrow ↔ leftrightarrow ' +
    '↦ mapsto … ldots ⋯ cdots ⋮ vdots ⋱ ddots ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ Vert ∥ parallel ⊥ perp ∠ angle ⊕ oplus ' +
    '⊗ otimes ∣ mid ℓ ell ℏ hbar ℜ Re ℑ Im ′ prime'
  )
    .split(' ')
    .flatMap((word, i, words) => (i % 2 === 0 ? [[word, `\\${words[i + 1] ?? ''}`] as const] : [])),
);
/** Signs that are not seen: function application, invisible times, separator and plus, joiners. */
const UNSEEN = /[\u2061-\u2064\u200b-\u200d\u2060\ufeff]/u;

function signTex(sign: string): string {
  if (UNSEEN.test(sign)) return '';
  if (sign === '−') return '-';
  if (/[#$%&_{}]/.test(sign)) return `\\${sign}`;
  if (sign === '\\') return '\\backslash';
  return SIGNS.get(sign) ?? sign;
}

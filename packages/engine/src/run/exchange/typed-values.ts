// Decides what values that a person typed become in a workflow: inputs that others can fill in, and nothing that is a secret.
import type { StepOf } from '@weft/contract';
import { FORM_WORDS } from '../../extract/forms/vocabulary.ts';
import { literalTemplate } from './untrusted.ts';

/** A value that was typed, and what is known of its field: its label, its name, its selectors. */
export interface TypedValue {
  readonly value: string;
  readonly hints: readonly string[];
  readonly isPassword?: boolean | undefined;
}

/** The schema of a workflow's inputs, as far as it was proposed. */
export interface ProposedInputs {
  /** The template that stands for the value from now on. */
  propose(typed: TypedValue): string;
  /** JSON Schema of an object with those inputs that are `used`, all unless said; undefined without any. */
  schema(used?: (name: string) => boolean): Readonly<Record<string, unknown>> | undefined;
}

/** Stand for what only a persona knows. */
export const PERSONA_PASSWORD = '{{persona.password}}';
export const PERSONA_CODE = '{{persona.totp}}';
const NAME_MAX = 40;
const ONE_TIME_CODE =
  /otp|(?<!\p{L})(?:mfa|2fa|tfa|token|code|pin)(?!\p{L})|two[-_ ]?(?:factor|step)|one[-_ ]?time|passcode|authenticator|(?:verification|security|auth)[-_ ]?code/u;
/** What a control says of itself that is not typed into. */
const CHOSEN = /^(?:true|false|on)$/;
const SHAPES: readonly (readonly [name: string, shape: RegExp])[] = [
  ['email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ['date', /^\d{4}-\d{2}-\d{2}$/],
  ['phone', /^\+?[\d ()/-]{7,20}$/],
];

/** Proposes inputs with the recorded values as their defaults, so that a run without inputs does what was recorded. */
export function proposeInputs(): ProposedInputs {
  const properties = new Map<string, Readonly<Record<string, unknown>>>();
  return {
    propose(typed) {
      const { value } = typed;
      if (isSecret(typed)) return PERSONA_PASSWORD;
      if (isOneTimeCode(typed)) return PERSONA_CODE;
      if (CHOSEN.test(value) || value === '') return literalTemplate(value);
      const name = freeName(nameFor(typed), properties);
      properties.set(name, { type: 'string', default: value });
      return `{{inputs.${name}}}`;
    },
    schema(used = () => true) {
      const kept = [...properties].filter(([name]) => used(name));
      return kept.length === 0 ? undefined : { type: 'object', properties: Object.fromEntries(kept) };
    },
  };
}

/** True for a value that must not be kept. */
export function isSecret({ hints, isPassword }: TypedValue): boolean {
  return isPassword === true || hints.some((hint) => FORM_WORDS.password.test(hint.toLowerCase()));
}

/** True for a code that is good once. */
export function isOneTimeCode({ value, hints }: TypedValue): boolean {
  return /^\d{6}$/.test(value) && hints.some((hint) => ONE_TIME_CODE.test(hint.toLowerCase()));
}

/** What the selectors of a step say of the field: accessible names first, then names, placeholders and ids. */
export function hintsOf(selectors: StepOf<'change'>['selectors']): readonly string[] {
  const last = selectors.flatMap((each) => (typeof each === 'string' ? [each] : each.slice(-1)));
  const said = last.flatMap((selector) => /^(?:aria|label|text)\/"?([^["]+)/.exec(selector)?.[1] ?? []);
  const named = ['name', 'placeholder', 'aria-label', 'id', 'type'].flatMap((attribute) =>
    last.flatMap((selector) => new RegExp(String.raw`\[(?:@)?${attribute}=\\?["']?([^"'\]\\]+)`).exec(selector)?.[1] ?? []),
  );
  const ids = last.flatMap((selector) => /#([\w-]+)[^#]*$/.exec(selector)?.[1] ?? /@id=\\?["']([^"'\\]+)/.exec(selector)?.[1] ?? []);
  return [...said, ...named, ...ids];
}

function nameFor({ value, hints }: TypedValue): string {
  const names = hints.map(identifierOf).filter((name) => /[a-z]{2}/.test(name) || name === 'q');
  return names[0] ?? SHAPES.find(([, shape]) => shape.test(value))?.[0] ?? 'value';
}

function identifierOf(hint: string): string {
  const letters = hint
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '_');
  return letters
    .replace(/^[^a-z]+/, '')
    .slice(0, NAME_MAX)
    .replace(/_+$/, '');
}

function freeName(name: string, taken: { has(name: string): boolean }): string {
  for (let count = 1; ; count += 1) {
    const free = count === 1 ? name : `${name}_${count}`;
    if (!taken.has(free)) return free;
  }
}

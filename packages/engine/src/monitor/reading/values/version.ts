// Reads a version number.
import type { FoundPart } from '../parts.ts';
import { found, quoted } from './outcome.ts';
import type { Outcome } from './outcome.ts';

/** Semantic versions and longer ones, with what marks a version before its release. */
const DOTTED =
  /(?<![\p{L}\p{N}\p{Sc}.,])(?<!\p{Sc}\s)v?(\d+(?:\.\d+){1,5}(?:-?(?:alpha|beta|rc|pre|dev|preview|snapshot|[ab])[.-]?\d*|-[0-9A-Za-z]+(?:\.[0-9A-Za-z]+)*)?)(?![\p{L}\p{N}]|[.,]\d|\s?[\p{Sc}%])/iu;
/** A number without points counts behind a word that says so. */
const NAMED = /(?:(?<!\p{L})(?:version|release|build|ver\.?|revision|rev\.?)\s*[:#]?\s*|(?<![\p{L}\p{N}])v)(\d+)(?![\p{L}\p{N}])/iu;

/** The first version of a part, without its `v`. */
export function readVersion(part: FoundPart): Outcome {
  if (typeof part.value === 'number') return found(String(part.value));
  const text = part.kept;
  const dotted = DOTTED.exec(text);
  const named = NAMED.exec(text);
  const first =
    dotted && named ? (named.index < dotted.index && !dotted[0].startsWith(named[1] as string) ? named : dotted) : (dotted ?? named);
  const version = first?.[1] ?? /^\s*(\d+)\s*$/.exec(text)?.[1];
  return version === undefined ? { problem: `There is no version in ${quoted(text)}.` } : found(version);
}

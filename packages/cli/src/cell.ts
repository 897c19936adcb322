// Values as cells of a table, and as lines, for terminals.

import type { Environment } from './environment.ts';

const CHARACTERS = 40;

/** As much of a value as a cell takes. */
export function cellText(value: unknown): string {
  return lineText(value, CHARACTERS);
}

/** The same where cells have to fit beside each other on a screen; in a pipe or a file nothing is cut. */
export function cellsFor({ isTerminal }: Pick<Environment, 'isTerminal'>): (value: unknown) => string {
  return isTerminal ? cellText : wholeText;
}

/** One line without control characters, whole. */
export function wholeText(value: unknown): string {
  return lineText(value, Number.POSITIVE_INFINITY);
}

/** One line without control characters, cut after `max` characters. */
export function lineText(value: unknown, max: number): string {
  if (value === null || value === undefined) return '';
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean)).replaceAll(
    /[\p{Cc}\p{Zl}\p{Zp}]+/gu,
    ' ',
  );
  return text.length > max ? `${text.slice(0, max - 1).toWellFormed()}\u2026` : text;
}

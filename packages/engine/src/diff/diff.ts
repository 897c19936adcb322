// Compares two readings of anything: the one way in, for the threads that do it.
import type { Difference } from '@weft/contract';
import { PageError } from '../errors.ts';
import type { JsonValue } from '../html/loose-json.ts';
import type { ItemOptions } from './json.ts';
import { diffItems, diffJson } from './json.ts';
import type { PictureOptions } from './picture/compare.ts';
import type { RenderForm } from './render/render.ts';
import { renderDifference } from './render/render.ts';
import type { SideBySideOptions } from './side-by-side.ts';
import { sideBySide } from './side-by-side.ts';
import { diffText } from './text.ts';
import type { UnifiedOptions } from './unified.ts';
import { unifiedDiff } from './unified.ts';

interface Sides<Value> {
  readonly old: Value;
  readonly new: Value;
}

/** What is compared with what, and how. */
export type Comparison =
  | ({ readonly kind: 'text'; readonly unit: 'line' | 'word' } & Sides<string>)
  | ({ readonly kind: 'unified' } & Sides<string> & UnifiedOptions)
  | ({ readonly kind: 'side_by_side' } & Sides<string> & SideBySideOptions)
  | ({ readonly kind: 'json' } & Sides<JsonValue> & ItemOptions)
  | ({ readonly kind: 'items' } & Sides<readonly JsonValue[]> & ItemOptions)
  | ({ readonly kind: 'pictures' } & Sides<Uint8Array> & PictureOptions);

export interface DiffRequest {
  readonly comparison: Comparison;
  /** In which forms the difference is also written. */
  readonly render?: readonly RenderForm[];
}

/** What came of a comparison. */
export interface DiffResult {
  /** Its kind is that of the comparison. */
  readonly difference: Difference;
  /** Of two pictures: a PNG that shows what changed. */
  readonly picture?: Uint8Array;
  /** In the forms that were asked for; an empty text where nothing changed. */
  readonly rendered: Readonly<Partial<Record<RenderForm, string>>>;
}

/** The longest text that is compared, in UTF-16 units. */
export const TEXT_LENGTH_MAX = 2_000_000;

/** Compares. Throws PageError: `page_too_complex` for what passes a limit, which its message names, and for pictures what `decodePicture` throws. */
export async function diff({ comparison, render = [] }: DiffRequest): Promise<DiffResult> {
  const { difference, picture } = await compare(comparison);
  const rendered = Object.fromEntries(render.map((form) => [form, renderDifference(difference, form)]));
  return { difference, ...(picture ? { picture } : {}), rendered };
}

async function compare(comparison: Comparison): Promise<{ difference: Difference; picture?: Uint8Array }> {
  switch (comparison.kind) {
    case 'text':
      return { difference: diffText(...texts(comparison), comparison.unit) };
    case 'unified':
      return { difference: unifiedDiff(...texts(comparison), comparison) };
    case 'side_by_side':
      return { difference: sideBySide(...texts(comparison), comparison) };
    case 'json':
      return { difference: diffJson(comparison.old, comparison.new, comparison) };
    case 'items':
      return { difference: diffItems(comparison.old, comparison.new, comparison) };
    case 'pictures': {
      // Decoders are loaded when the first pictures come.
      const { comparePictures } = await import('./picture/compare.ts');
      const { diff: difference, picture } = comparePictures(comparison.old, comparison.new, comparison);
      return { difference, picture };
    }
  }
}

function texts(sides: Sides<string>): readonly [old: string, fresh: string] {
  for (const side of ['old', 'new'] as const)
    if (sides[side].length > TEXT_LENGTH_MAX)
      throw new PageError(
        'page_too_complex',
        `The ${side} text has ${sides[side].length} characters; at most ${TEXT_LENGTH_MAX} are compared.`,
      );
  return [sides.old, sides.new];
}

// Pages and plans for the tests of reading.
import type { ExtractorSpec, TextFilter } from '@weft/contract';
import type { PageReading, PictureGiven, ReadingPlan, TargetPlan, TargetReading, ValueReading } from '../plan.ts';
import { readPage } from './read-page.ts';

/** What differs from a plain page of HTML that is watched as a whole. */
export interface Told {
  readonly url?: string;
  readonly type?: string;
  readonly status?: number;
  readonly requestedUrl?: string;
  readonly watch?: ReadingPlan['watch'];
  readonly filter?: TextFilter;
  readonly targets?: readonly TargetPlan[];
  readonly pictures?: readonly PictureGiven[];
}

export function readWith(body: string | Uint8Array, told: Told = {}): Promise<PageReading> {
  const { url = 'https://shop.example/p/1', type = 'text/html; charset=utf-8', watch = 'page', filter = {}, targets = [] } = told;
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const { status = 200, requestedUrl = url } = told;
  return readPage({
    source: { url, body: bytes, contentType: type },
    status,
    headers: [['content-type', type]],
    requestedUrl,
    watch,
    filter,
    targets,
    captureMs: Date.UTC(2026, 0, 1),
    ...(told.pictures ? { pictures: told.pictures } : {}),
  });
}

/** The whole page, as it is compared and told apart. */
export async function pageOf(body: string | Uint8Array, told: Told = {}): Promise<ValueReading> {
  const { page } = await readWith(body, told);
  if (!page) throw new Error('the page as a whole was not read');
  return page;
}

export function targetOf(selector: string, specs: readonly ExtractorSpec[], more: Partial<TargetPlan> = {}): TargetPlan {
  const extractors = specs.map((spec, place) => ({ id: place + 1, name: spec.name ?? spec.type, spec }));
  return { id: 1, selector, many: false, baseline: undefined, isSteady: false, extractors, ...more };
}

/** One selector with one extractor. */
export async function readOne(
  body: string | Uint8Array,
  selector: string,
  spec: ExtractorSpec,
  told: Told & { readonly many?: boolean } = {},
): Promise<ValueReading & { readonly target: TargetReading }> {
  const { many = false, ...rest } = told;
  const { targets } = await readWith(body, { ...rest, targets: [targetOf(selector, [spec], { many })] });
  const [target] = targets;
  const [value] = target?.values ?? [];
  if (!target || !value) throw new Error('nothing was read');
  return { ...value, target };
}

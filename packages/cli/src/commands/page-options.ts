// Options that commands of several groups share.
import type { LaneChoice, SitemapUse } from '@weft/contract';
import { namesOf } from '../names.ts';
import type { OptionSpec } from '../words.ts';

export const LANES = namesOf<LaneChoice>({ auto: true, http: true, browser: true });
export const SITEMAP_USES = namesOf<SitemapUse>({ include: true, skip: true, only: true });

export const HIDDEN: OptionSpec = { flags: '--hidden', summary: 'also what the page hides: closed details, folded panels, dialogs' };

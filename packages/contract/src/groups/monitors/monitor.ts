// Monitors: a page or a workflow that is looked at again and again, and what of it matters.
import { z } from 'zod';
import { instant, rowId, webUrl } from '../../ids.ts';
import { patchOf } from '../../patch.ts';
import { LaneChoice } from '../crawl/crawl.ts';
import { Selector, SelectorSpec } from '../selectors/selector.ts';
import { Condition } from '../workflows/condition.ts';
import { MonitorStateKind } from './check.ts';
import { Schedule } from '../../schedule.ts';

const expression = z.string().min(1).max(4000);
const phrase = z.string().min(1).max(2000);
const phrases = z.array(phrase).min(1).max(200);

const separator = z.string().min(1).max(20).optional().describe('What stands between items; a line break unless said.');

/** One thing that is made of a text. */
export const TextStep = z
  .union([
    z.strictObject({ keep: phrases.describe('Only lines that hold one of these stay.') }),
    z.strictObject({ drop: phrases.describe('Lines that hold one of these go.') }),
    z.strictObject({
      find: phrases.describe('Only what matches stays, a line each, for one of these after the other.'),
      as: z
        .string()
        .max(2000)
        .optional()
        .describe('What becomes of each match, with its groups as `$1`; its first group, else all of it, unless said.'),
    }),
    z.strictObject({
      replace: phrase.describe('What matches is replaced.'),
      with: z.string().max(2000).describe('Of an expression with its groups as `$1`; `$$` is a dollar sign.'),
    }),
    z.strictObject({ unique: z.literal(true).describe('Of equal items the first stays.'), separator }),
    z.strictObject({ sort: z.enum(['up', 'down']).describe('Items in order, capitals like small letters.'), separator }),
    z.strictObject({ reverse: z.literal(true).describe('Items the other way round.'), separator }),
  ])
  .meta({ id: 'TextStep' });
export type TextStep = z.infer<typeof TextStep>;

/** What of a text counts. Rules are texts that a line holds, or `/expression/flags` of RE2. */
export const TextFilter = z
  .strictObject({
    subtract: z.array(expression).max(200).optional().describe('Selectors of what is taken out of the page before anything else is read.'),
    ignore: phrases.optional().describe('Lines that hold one of these count for nothing; an expression takes out what it matches.'),
    trigger: phrases.optional().describe('Nothing is told until one of these is there; what is known stays as it was meanwhile.'),
    block: phrases.optional().describe('Nothing is told while one of these is there; likewise.'),
    only: z
      .array(z.enum(['added', 'removed', 'replaced']))
      .min(1)
      .optional()
      .describe('Of a text: only lines that were added, removed or replaced count; all unless said.'),
    unique_lines: z.boolean().optional().describe('Only lines that no earlier check has seen count.'),
    steps: z
      .array(TextStep)
      .min(1)
      .max(50)
      .optional()
      .describe(
        'What is made of the text of the page, or of each `text` and `hash`, in this order, after `ignore`: shown and compared is what comes of it.',
      ),
    sort_lines: z.boolean().optional().describe('The order of lines means nothing.'),
    keep_whitespace: z.boolean().optional().describe('A different number of blanks is a change; false unless said.'),
    links: z.boolean().optional().describe('Addresses of links count as text; false unless said.'),
  })
  .meta({ id: 'TextFilter' });
export type TextFilter = z.infer<typeof TextFilter>;

/** How sure a change has to be before it is told. */
export const Confirm = z
  .strictObject({
    times: z.int().min(1).max(20).optional().describe('Checks in a row that see it; 1 unless said (D36).'),
    hold: z
      .int()
      .min(1, 'must be at least 1 second')
      .max(604_800, 'must be at most 604800 seconds, a week')
      .optional()
      .describe('Seconds for which it has to stay.'),
    every: z
      .int()
      .min(5, 'must be at least 5 seconds')
      .max(86_400, 'must be at most 86400 seconds, a day')
      .optional()
      .describe('Seconds to the next check meanwhile; as scheduled unless said.'),
  })
  .meta({ id: 'Confirm' });
export type Confirm = z.infer<typeof Confirm>;

/** When trouble with looking is told; once, and once more when it is over. */
export const TroubleRule = z
  .strictObject({
    after: z.int().min(1).max(1000).optional().describe('Checks in a row; 3 unless said.'),
    seconds: z.int().min(1).max(31_536_000).optional().describe('Or for so long, whichever is first.'),
    repeat: z.int().min(60).max(31_536_000).optional().describe('Seconds after which it is told again while it lasts; never unless said.'),
  })
  .meta({ id: 'TroubleRule' });
export type TroubleRule = z.infer<typeof TroubleRule>;

/** What a tag passes on to its monitors, too: their own members are stronger. */
export const sharedMonitorFields = {
  schedule: Schedule.optional().describe('Every 3,600 seconds unless said (D36).'),
  lane: LaneChoice.optional().describe('`auto` unless said.'),
  headers: z
    .record(z.string().min(1).max(200), z.string().max(8000))
    .optional()
    .describe(
      'Sent with the request, and shown to whoever reads the monitor. `{{secret:KEY}}` stands for a secret, which goes to its origins alone.',
    ),
  proxy: z.string().min(1).max(100).optional().describe('A proxy of the settings, by its name.'),
  respect_robots: z.boolean().optional().describe('True unless said: a page that robots.txt forbids is not looked at.'),
  filter: TextFilter.optional(),
  confirm: Confirm.optional(),
  known_states: z
    .int()
    .min(0)
    .max(50)
    .optional()
    .describe('A value that was one of so many told before is not told again, and the check says that it is flapping; 0 unless said.'),
  trouble: TroubleRule.optional(),
  channels: z.array(rowId).max(50).optional().describe('Whom to tell: channels of notices; those that are told by default unless said.'),
};

/** What a tag is called. */
export const tagName = z.string().regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be a tag: a small letter, then up to 62 of a-z, 0-9 and -');

const fields = {
  name: z.string().min(1).max(200).optional().describe('Host and path unless said.'),
  url: webUrl.optional().describe('The page; or `workflow_id`.'),
  workflow_id: rowId.optional().describe('A workflow whose rows are watched, or the page that it ends on.'),
  inputs: z.record(z.string(), z.unknown()).optional().describe('Of the workflow.'),
  watch: z
    .enum(['page', 'main', 'rows'])
    .optional()
    .describe(
      'What selectors look at, and what is compared without one: the text of the page (`page`) or of its main content (`main`), of a workflow that of the page that its steps end on, or its `rows`, as JSON. Unless said `page`, and for a workflow without selectors `rows`.',
    ),
  method: z.enum(['GET', 'POST', 'PUT']).optional().describe('GET unless said; others go over HTTP.'),
  body: z.string().max(1_000_000).optional().describe('Sent with the request; `{{secret:KEY}}` stands for a secret, put in as it is.'),
  wait_for_selector: expression.optional().describe('Browser: waits until this is there.'),
  wait_ms: z.int().min(0).max(30_000).optional().describe('Browser: waits so long, after everything else.'),
  screenshot: z
    .enum(['viewport', 'full'])
    .optional()
    .describe('Browser: takes a picture of the page, which is kept in a snapshot where something is new.'),
  persona_id: rowId.optional().describe('Whom it looks as.'),
  accept_statuses: z
    .array(z.int().min(100).max(599))
    .max(100)
    .optional()
    .describe('Statuses that are a page like any other; others above 399 are trouble.'),
  empty_is_change: z.boolean().optional().describe('A page without text is a change and no trouble. False unless said.'),
  when: Condition.optional().describe(
    'Nothing is told unless this holds. Places: `{{values.<name>}}`, `{{old.<name>}}`, `{{text}}`, `{{added}}`, `{{removed}}`, `{{percent.<name>}}`.',
  ),
  tags: z
    .array(tagName)
    .max(20)
    .optional()
    .describe('Their settings are passed on, later ones over earlier ones. One without settings only puts it with others.'),
  active: z.boolean().optional().describe('True unless said: one that is not is not checked by itself.'),
  ...sharedMonitorFields,
};

/** The body that makes a monitor; an address alone is enough (D36). */
export const NewMonitor = z
  .strictObject({
    ...fields,
    selectors: z.array(SelectorSpec).max(100).optional().describe('Where to look; the whole page where there is none.'),
  })
  .meta({ id: 'CreateMonitor' });
export type NewMonitor = z.infer<typeof NewMonitor>;

/** What a monitor is made of, without its selectors. */
export const MonitorSpec = NewMonitor.omit({ selectors: true });
export type MonitorSpec = z.infer<typeof MonitorSpec>;

/** A merge patch of a monitor (RFC 7396): members that are sent replace, null removes; selectors have operations of their own. */
export const MonitorPatch = z.strictObject(patchOf(fields)).meta({ id: 'MonitorPatch' });
export type MonitorPatch = z.infer<typeof MonitorPatch>;

/** How a monitor stands since when. */
export const MonitorState = z
  .strictObject({
    kind: MonitorStateKind,
    since: instant,
    checks: z.int().min(0).describe('In a row that ended so.'),
    code: z.string().optional().describe('Of trouble: why, under the names that failures of runs have.'),
    message: z.string().optional(),
    told: z.boolean().optional().describe('Of trouble: whether it was told.'),
  })
  .meta({ id: 'MonitorState' });
export type MonitorState = z.infer<typeof MonitorState>;

/** A value as it is known. */
export const MonitorValue = z
  .strictObject({
    selector_id: z.int().optional().describe('Absent where it is the page.'),
    extractor_id: z.int().optional().describe('Absent where it is the text.'),
    name: z.string(),
    text: z.string().describe('As it is shown, the first 200 characters; checks have it whole and typed.'),
    since: instant.describe('Since when it has been so.'),
  })
  .meta({ id: 'MonitorValue' });
export type MonitorValue = z.infer<typeof MonitorValue>;

/** A monitor. */
export const Monitor = z
  .strictObject({
    id: z.int(),
    ...fields,
    name: z.string(),
    active: z.boolean(),
    lane: LaneChoice,
    respect_robots: z.boolean(),
    schedule: Schedule.describe('As it goes by: its own, else that of its tags, else every hour.'),
    tags: z.array(z.string()),
    selectors: z.array(Selector),
    values: z.array(MonitorValue).describe('As the last check left them, in the order of the selectors.'),
    state: MonitorState,
    flapping: z.boolean(),
    dataset_id: z.int().describe('Where its values are records.'),
    checks: z.int().min(0).describe('All so far.'),
    changes: z.int().min(0).describe('All that are kept.'),
    last_checked_at: instant.optional(),
    last_changed_at: instant.optional(),
    last_run_id: z.int().optional(),
    next_check_at: instant.optional().describe('Absent where none is due by itself.'),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Monitor' });
export type Monitor = z.infer<typeof Monitor>;

const LaneGauge = z.strictObject({
  slots: z.number().min(0).describe('Checks that this lane makes at once.'),
  seconds_per_check: z
    .number()
    .min(0)
    .describe(
      'For which a check takes a place, a moving average of the last ones; where the processor is short and not places, its time for as many. An assumption until some were measured.',
    ),
  measured: z.int().min(0).describe('Checks that the mean rests on.'),
  capacity_per_minute: z.number().min(0).describe('Slots x 60 / seconds x 0.7.'),
  demand_per_minute: z.number().min(0).describe('What the schedules of active monitors ask for.'),
  used: z.number().min(0).describe('Demand as a share of the capacity.'),
  one_more: z
    .strictObject({ every_seconds: z.number(), used: z.number().min(0), fits: z.boolean() })
    .describe('What another monitor with that interval would make of it.'),
});

/** How much the machine can look after (D40). */
export const Capacity = z
  .strictObject({
    monitors: z.strictObject({ active: z.int().min(0), all: z.int().min(0) }),
    lanes: z.strictObject({ http: LaneGauge, browser: LaneGauge }),
    late: z
      .strictObject({ p95_ms: z.number().min(0), due: z.int().min(0) })
      .describe('How late checks began recently, and how many are due now.'),
    disk: z.strictObject({ free_bytes: z.int().min(0), needed_bytes: z.int().min(0) }),
  })
  .meta({ id: 'Capacity' });
export type Capacity = z.infer<typeof Capacity>;

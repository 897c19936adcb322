// Channels: ways to a person or a program, each with its words, its hours and its own queue.
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { ChannelSecrets, ChannelTarget } from './target.ts';

/** How grave a notice is, the lightest first. */
export const NOTICE_LEVELS = ['info', 'warning', 'error'] as const;
/** How grave one notice is. */
export const NoticeLevel = z.enum(NOTICE_LEVELS);
/** How grave one notice is. */
export type NoticeLevel = z.infer<typeof NoticeLevel>;

const DIGEST_MINUTES_MAX = 1440;
const TEMPLATE_CHARS_MAX = 20_000;

const name = z.string().trim().min(1).max(200);
const time = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:00');

/** The identifier of a time zone of the IANA database. */
const timezone = z
  .string()
  .max(64)
  .check((context) => {
    if (!isTimezone(context.value))
      context.issues.push({ code: 'custom', message: 'must be a time zone such as Europe/Berlin', input: context.value });
  });

function isTimezone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Hours of each day in which nothing is sent; they may go over midnight. */
export const QuietHours = z
  .strictObject({
    from: time,
    to: time.describe('The first minute that is not quiet. The same as `from` is the whole day.'),
    timezone: timezone.optional().describe('The system’s unless said.'),
    drop: z.boolean().default(false).describe('Whether what comes is dropped; it is sent at their end unless said.'),
  })
  .meta({ id: 'QuietHours' });
export type QuietHours = z.infer<typeof QuietHours>;

const policy = {
  default: z.boolean().describe('Whether it is told of what names no channel; true unless said.'),
  level_min: NoticeLevel.describe('What is lighter is not sent; `info` unless said.'),
  digest_minutes: z
    .int()
    .min(0)
    .max(DIGEST_MINUTES_MAX)
    .describe('Collects what comes within so many minutes into one message; 0, which sends each by itself, unless said.'),
  quiet: QuietHours,
};

/** The words of a message, in Liquid. */
export const ChannelTemplates = z
  .strictObject({
    title: z.string().min(1).max(TEMPLATE_CHARS_MAX).optional(),
    body: z.string().min(1).max(TEMPLATE_CHARS_MAX).optional(),
  })
  .describe(
    'Liquid. Variables: `event`, `level`, `at`, `subject`, `monitor`, `automation`, `run`, `change` (`kind old new difference link`), `title`, `message`, `link`, `count`, `notices`. Not for `webhook`, whose message is JSON.',
  )
  .meta({ id: 'ChannelTemplates' });
export type ChannelTemplates = z.infer<typeof ChannelTemplates>;

/** What is told of a channel. */
export const Channel = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    to: ChannelTarget,
    secrets: z.array(z.string()).describe('Names of the values that are sealed for it.'),
    templates: ChannelTemplates,
    default: z.boolean(),
    level_min: NoticeLevel,
    digest_minutes: z.int(),
    quiet: QuietHours.optional(),
    enabled: z.boolean(),
    disabled_reason: z.string().optional().describe('Why it is not enabled, where nobody has switched it off.'),
    muted_until: instant.optional(),
    failing_since: instant.optional().describe('Since when nothing has arrived that was sent.'),
    rests_until: instant.optional().describe('Before when nothing more is sent.'),
    rests_because: z.enum(['failed', 'retry_after', 'quiet_hours', 'vault_locked']).optional(),
    pending: z.int().min(0).describe('What waits to be sent, up to 1,000.'),
    created_at: instant,
    updated_at: instant,
    last_sent_at: instant.optional(),
  })
  .meta({ id: 'Channel' });
export type Channel = z.infer<typeof Channel>;

/** A new channel. */
export const NewChannel = z
  .strictObject({
    name,
    to: ChannelTarget,
    secrets: ChannelSecrets.optional(),
    templates: ChannelTemplates.optional(),
    default: policy.default.optional(),
    level_min: policy.level_min.optional(),
    digest_minutes: policy.digest_minutes.optional(),
    quiet: policy.quiet.optional(),
  })
  .meta({ id: 'CreateChannel' });
export type NewChannel = z.infer<typeof NewChannel>;

/** A change of a channel (RFC 7396): null removes. Values that go to a server are sent again where the server changes. */
export const ChannelPatch = z
  .strictObject({
    name: name.optional(),
    to: z.record(z.string().max(100), z.unknown()).optional().describe('Members of the target; its `kind` stays.'),
    secrets: z
      .strictObject({
        secret: ChannelSecrets.shape.secret,
        url: ChannelSecrets.shape.url,
        token: ChannelSecrets.shape.token.unwrap().nullable().optional(),
        password: ChannelSecrets.shape.password.unwrap().nullable().optional(),
      })
      .optional(),
    templates: z
      .strictObject({
        title: ChannelTemplates.shape.title.unwrap().nullable().optional(),
        body: ChannelTemplates.shape.body.unwrap().nullable().optional(),
      })
      .nullable()
      .optional(),
    default: policy.default.nullable().optional(),
    level_min: policy.level_min.nullable().optional(),
    digest_minutes: policy.digest_minutes.nullable().optional(),
    quiet: policy.quiet.nullable().optional(),
    enabled: z.boolean().optional().describe('true begins anew after failures too; what waits is sent.'),
  })
  .meta({ id: 'ChannelPatch' });
export type ChannelPatch = z.infer<typeof ChannelPatch>;

// What an automation does.
import { z } from 'zod';
import { refText, rowId } from '../../ids.ts';
import { MonitorPatch } from '../monitors/monitor.ts';
import { NoticeLevel } from '../notices/channel.ts';
import { JsonTemplate, Template } from '../workflows/condition.ts';

const any = { continue_on_error: z.boolean().optional().describe('Go on where it fails; false unless said.') };
const waits = { wait: z.boolean().optional().describe('Go on once the run is settled, and fail where it did; true unless said.') };

const RunWorkflow = z.strictObject({
  type: z.literal('run_workflow'),
  workflow_id: rowId,
  inputs: z.record(z.string(), JsonTemplate).optional().describe('Their texts are templates.'),
  ...waits,
  ...any,
});

const RunCrawl = z.strictObject({
  type: z.literal('run_crawl'),
  ref: refText.describe('A saved crawl; it is kept as its id.'),
  ...waits,
  ...any,
});

const CheckMonitor = z.strictObject({ type: z.literal('check'), monitor_id: rowId, ...waits, ...any });

const Notify = z.strictObject({
  type: z.literal('notify'),
  channels: z.array(rowId).min(1).max(50).optional().describe('Those that are told by default unless said.'),
  title: Template.optional().describe('The name of the automation unless said.'),
  body: Template.optional().describe('What made it act, in a sentence, unless said.'),
  level: NoticeLevel.optional().describe('`info` unless said.'),
  ...any,
});

const Set = z
  .strictObject({
    type: z.literal('set'),
    monitor_id: rowId.optional(),
    automation_id: rowId.optional(),
    patch: z
      .union([MonitorPatch, z.strictObject({ enabled: z.boolean() })])
      .refine((patch) => Object.keys(patch).length > 0, 'changes nothing: name a member')
      .describe('Of a monitor a merge patch, such as `{"active": false}`; of an automation `{"enabled": true}` or false.'),
    ...any,
  })
  .check(({ value, issues }) => {
    const { monitor_id: monitor, automation_id: automation, patch } = value;
    if ((monitor === undefined) === (automation === undefined))
      issues.push({ code: 'custom', message: 'or "automation_id" has to be said, and not both', path: ['monitor_id'], input: value });
    else if ((automation === undefined) === 'enabled' in patch)
      issues.push({
        code: 'custom',
        message:
          automation === undefined ? 'has "enabled", which automations have; a monitor is "active"' : 'of an automation is "enabled" alone',
        path: ['patch'],
        input: value,
      });
  });

const Pause = z.strictObject({ type: z.literal('pause'), seconds: z.int().min(1).max(604_800), ...any });

/** What an automation does. Templates: `{{trigger}}`, `{{values.<monitor>.<name>}}`, `{{states.<monitor>}}`, `{{actions.<place>}}` of those before it. */
export const Action = z.discriminatedUnion('type', [RunWorkflow, RunCrawl, CheckMonitor, Notify, Set, Pause]).meta({ id: 'Action' });
export type Action = z.infer<typeof Action>;

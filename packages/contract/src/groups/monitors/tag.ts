// Tags: settings that monitors share.
import { z } from 'zod';
import { instant } from '../../ids.ts';
import { patchOf } from '../../patch.ts';
import { sharedMonitorFields, tagName } from './monitor.ts';

/** The body that gives a tag its settings. */
export const NewMonitorTag = z.strictObject({ name: tagName, ...sharedMonitorFields }).meta({ id: 'CreateMonitorTag' });
export type NewMonitorTag = z.infer<typeof NewMonitorTag>;

/** What a tag passes on to its monitors. */
export type TagSettings = Omit<NewMonitorTag, 'name'>;

/** A merge patch of a tag (RFC 7396): members that are sent replace, null removes; a schedule is sent whole. */
export const MonitorTagPatch = z.strictObject(patchOf(sharedMonitorFields)).meta({ id: 'MonitorTagPatch' });
export type MonitorTagPatch = z.infer<typeof MonitorTagPatch>;

/** A tag that has settings. */
export const MonitorTag = z
  .strictObject({
    name: z.string(),
    ...sharedMonitorFields,
    schedule: sharedMonitorFields.schedule.describe('Of its monitors that have none of their own; every 3,600 seconds unless said (D36).'),
    monitors: z.int().min(0).describe('How many name it.'),
    updated_at: instant,
  })
  .meta({ id: 'MonitorTag' });
export type MonitorTag = z.infer<typeof MonitorTag>;

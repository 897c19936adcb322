// Generated from the folders that have a `migrations.ts` by `npm run generate`. Do not edit.
import { migrations as automations } from '../automations/migrations.ts';
import { migrations as builds } from '../builds/migrations.ts';
import { migrations as datasets } from '../datasets/migrations.ts';
import { migrations as monitors } from '../monitors/migrations.ts';
import { migrations as notices } from '../notices/migrations.ts';
import { migrations as oauth } from '../oauth/migrations.ts';
import { migrations as runs } from '../runs/migrations.ts';
import { migrations as schedule } from '../schedule/migrations.ts';
import { migrations as vault } from '../vault/migrations.ts';
import { migrations as workflows } from '../workflows/migrations.ts';

export const GROUP_MIGRATIONS: readonly Readonly<Record<number, string>>[] = [automations, builds, datasets, monitors, notices, oauth, runs, schedule, vault, workflows];

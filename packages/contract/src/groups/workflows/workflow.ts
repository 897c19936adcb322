// Workflows: steps that are kept, and what a run of them takes and gives (D41).
import { z } from 'zod';
import { instant, slug } from '../../ids.ts';
import { LaneChoice } from '../crawl/crawl.ts';
import { RunStatus } from '../runs/run.ts';
import { JsonTemplate } from './condition.ts';
import { Identifier } from './step-fields.ts';
import { Step } from './step.ts';

/** How much one run may do. */
export const WorkflowLimits = z
  .strictObject({
    max_steps: z
      .int()
      .min(1)
      .max(1_000_000)
      .optional()
      .describe('Steps that are executed, those of loops counted each time; 10,000 unless said.'),
    max_seconds: z.int().min(1).max(86_400).optional().describe('Of work, waits for a person left out; 3,600 unless said.'),
    max_pages: z.int().min(1).max(1_000_000).optional().describe('Pages and answers that are asked for; 1,000 unless said.'),
  })
  .meta({ id: 'WorkflowLimits' });

const schema = z.record(z.string(), z.unknown());
const steps = z.array(Step).min(1).max(200);
const fields = {
  name: z.string().min(1).max(200),
  slug: slug.optional().describe('Made from the name unless said.'),
  format: z.literal(1).optional(),
  inputs: schema.optional().describe('JSON Schema of an object: what a run takes. No inputs unless said.'),
  output: JsonTemplate.optional().describe('What a run gives beside its rows, filled in at its end; nothing unless said.'),
  lane: LaneChoice.optional().describe('`auto` unless said: HTTP where every step can.'),
  steps,
  finally: z.array(Step).max(200).optional().describe('Run after the steps, however these ended; not after a cancellation.'),
  limits: WorkflowLimits.optional(),
  guard: z.literal('off').optional().describe('`off`: no step of it has a guard.'),
  expose: z.boolean().optional().describe('Whether the local MCP server offers it as a tool; false unless said.'),
  persona_id: z.int().min(1).optional().describe('Whom its steps act as.'),
  concurrency: z.int().min(1).max(100).optional().describe('Runs of it that execute at once; more wait. Any number unless said.'),
};

/** The body that makes a workflow. */
export const NewWorkflow = z.strictObject(fields).meta({ id: 'CreateWorkflow' });
export type NewWorkflow = z.infer<typeof NewWorkflow>;

/** A merge patch of a workflow (RFC 7396): members that are sent replace, null removes, steps are replaced as a whole. */
export const WorkflowPatch = z
  .strictObject({
    name: fields.name.nullable().optional(),
    slug: slug.nullable().optional(),
    format: z.literal(1).nullable().optional(),
    inputs: schema.nullable().optional(),
    output: JsonTemplate.optional(),
    lane: LaneChoice.nullable().optional(),
    steps: steps.nullable().optional(),
    finally: z.array(Step).max(200).nullable().optional(),
    limits: WorkflowLimits.nullable().optional(),
    guard: z.literal('off').nullable().optional(),
    expose: z.boolean().nullable().optional(),
    persona_id: z.int().min(1).nullable().optional(),
    concurrency: z.int().min(1).max(100).nullable().optional(),
    revision: z.int().min(1).optional().describe('The revision that is changed; another one is a `conflict`.'),
  })
  .meta({ id: 'WorkflowPatch' });
export type WorkflowPatch = z.infer<typeof WorkflowPatch>;

/** A workflow. */
export const Workflow = z
  .strictObject({
    id: z.int(),
    ...fields,
    slug: z.string(),
    format: z.literal(1),
    revision: z.int().min(1).describe('Grows with each change; runs keep theirs.'),
    lane: LaneChoice,
    expose: z.boolean(),
    dataset_id: z.int().describe('Where the rows of its runs are records.'),
    last_run: z.strictObject({ id: z.int(), status: RunStatus, finished_at: instant.optional() }).optional().describe('The newest run.'),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Workflow' });
export type Workflow = z.infer<typeof Workflow>;

/** The same workflow by HTTP, made of what a browser did; kept while it comes to the same. */
export const WorkflowCandidate = z
  .strictObject({
    status: z
      .enum(['shadow', 'promoted', 'demoted', 'none'])
      .describe('`shadow`: tried beside runs in a browser. `promoted`: runs go by it. `demoted`: given up. `none`: there can be none.'),
    reason: z.string(),
    steps: z.array(Step).describe('What goes by HTTP; empty where there is none.'),
    runs_since_shadow: z.int().min(0).describe('Runs that it answered since it was last held against a browser.'),
    updated_at: instant.optional().describe('Absent before a run could tell.'),
  })
  .meta({ id: 'WorkflowCandidate' });
export type WorkflowCandidate = z.infer<typeof WorkflowCandidate>;

/** Another way for a step to find its element, which a person accepts or dismisses. */
export const WorkflowRepair = z
  .strictObject({
    step_id: z.string(),
    run_id: z.int().describe('The run that did not find it.'),
    step: Step.describe('The step as it would be.'),
    score: z.number().describe('How sure it is, from 0 to 1.'),
    evidence: z.array(z.string()).describe('What speaks for it.'),
    created_at: instant,
  })
  .meta({ id: 'WorkflowRepair' });
export type WorkflowRepair = z.infer<typeof WorkflowRepair>;

/** A workflow in a list: how many steps it has instead of which. */
export const WorkflowSummary = z
  .strictObject({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    revision: z.int(),
    lane: LaneChoice,
    expose: z.boolean(),
    steps: z.int().describe('How many.'),
    dataset_id: z.int(),
    last_run: Workflow.shape.last_run,
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'WorkflowSummary' });
export type WorkflowSummary = z.infer<typeof WorkflowSummary>;

/** Whether a run shows what it does. */
export const Headed = z
  .boolean()
  .describe(
    'In a browser whose window is on the screen of this machine, also where HTTP would do. `bad_request` where there is no screen.',
  );

/** The body that runs a workflow. */
export const RunWorkflow = z
  .strictObject({
    inputs: z.record(Identifier, z.unknown()).optional().describe('As its `inputs` ask for.'),
    headed: Headed.optional(),
  })
  .meta({ id: 'RunWorkflow' });

/** The session that runs have kept; never a value of a cookie (D35). */
export const WorkflowSession = z
  .strictObject({
    exists: z.boolean(),
    lane: z.literal('http'),
    kept: z.boolean().describe('False while the vault is locked: sessions then end with their run.'),
    cookies: z.int().min(0).optional().describe('Absent while the vault is locked.'),
    origins: z.array(z.string()).optional().describe('Absent while the vault is locked.'),
    logged_in: z.union([z.boolean(), z.literal('unknown')]).describe('True where the run that left it had proved itself logged in.'),
    persona_id: z.int().optional(),
    created_at: instant.optional(),
    last_used_at: instant.optional(),
    expires_at: instant.optional(),
  })
  .meta({ id: 'WorkflowSession' });
export type WorkflowSession = z.infer<typeof WorkflowSession>;

/** What a workflow was at one time. */
export const WorkflowRevision = z
  .strictObject({
    revision: z.int().min(1),
    name: z.string(),
    created_at: instant,
    definition: NewWorkflow.omit({ name: true, slug: true, format: true, concurrency: true }).optional().describe('In a list absent.'),
  })
  .meta({ id: 'WorkflowRevision' });
export type WorkflowRevision = z.infer<typeof WorkflowRevision>;

const words = z.array(z.string());
const tally = z.record(z.string(), z.int());

/** What a good run saw at one step; later runs of the revision are held against it. */
export const WorkflowGuard = z
  .strictObject({
    step_id: z.string(),
    run_id: z.int(),
    learned_at: instant,
    elements: z
      .array(z.strictObject({ tag: z.string(), role: z.string().optional(), name: z.string().optional(), type: z.string().optional() }))
      .describe('What it acted on.'),
    pages: z
      .array(z.strictObject({ status: z.int(), host: z.string(), words, asks_password: z.boolean() }))
      .describe('Where it was: `words` are of titles and names of forms.'),
    shape: z
      .strictObject({
        fields: z.record(z.string(), z.strictObject({ rows: z.int(), filled: z.int(), kinds: tally })),
        counts: tally.describe('Lengths of lists; that of the rows by the empty name.'),
      })
      .describe('What it read, by paths.'),
    times: z.int().describe('How often it read.'),
  })
  .meta({ id: 'LearnedGuard' });
export type WorkflowGuard = z.infer<typeof WorkflowGuard>;

/** What differs between two revisions. */
export const RevisionDiff = z
  .strictObject({
    from: z.int(),
    to: z.int(),
    added: z.array(z.string()).describe('Ids of steps.'),
    removed: z.array(z.string()),
    changed: z.array(z.string()),
    moved: z.array(z.string()).describe('Steps that stand at another place and are the same.'),
    members: z.array(z.string()).describe('Other members that differ.'),
  })
  .meta({ id: 'RevisionDiff' });
export type RevisionDiff = z.infer<typeof RevisionDiff>;

/** Runs of many rows. */
export const BulkRun = z
  .strictObject({
    run_ids: z.array(z.int()).describe('In the order of the rows.'),
    count: z.int().min(0),
    left_out: z
      .array(z.strictObject({ row: z.int().min(1), reason: z.string() }))
      .describe('Rows that no run was made of, and why; the first hundred.'),
  })
  .meta({ id: 'BulkRun' });
export type BulkRun = z.infer<typeof BulkRun>;

// Builds: a site and an objective become an API (D49). Members and values are the specification's "Site-to-API build view".
import { z } from 'zod';
import { LIMITS } from '../../limits.ts';
import { instant, rowId, webUrl } from '../../ids.ts';

const OBJECTIVE = { min: 3, max: 500 } as const;
/** Bytes of a HAR that a build takes as evidence. */
export const HAR_BYTES_MAX = 20_000_000;

const optionFields = {
  respect_robots: z
    .boolean()
    .optional()
    .describe('The crawl rungs obey robots.txt. True unless said; send false only for a site that you may automate.'),
  ai_supervise: z
    .boolean()
    .optional()
    .describe(
      'One bounded call of the model that is set up drafts the API from what was found. True unless said; without a model nothing is called.',
    ),
};
const objective = z.string().trim().min(OBJECTIVE.min).max(OBJECTIVE.max);

/** What a build is asked for, on both surfaces. */
export const buildOptionFields = {
  url: webUrl.describe('The site, or the page that it begins at.'),
  objective: objective.describe('What the API is for, in words: "search products by name".'),
  ...optionFields,
};

/** What a discovery is asked for, on both surfaces. */
export const discoveryOptionFields = {
  ...buildOptionFields,
  objective: objective.optional().describe('Ranks what is found; what is found is the same without it.'),
};

const waitFields = {
  wait: z.boolean().optional().describe('Answer when the build has ended.'),
  timeout: z
    .int()
    .min(LIMITS.waitSecondsMin)
    .max(LIMITS.waitSecondsMax)
    .optional()
    .describe(`Seconds that \`wait\` may take; ${LIMITS.waitSecondsDefault} unless said.`),
};
const localFields = {
  persona_id: rowId.optional().describe('Pages are asked for as this persona; needs the admin scope.'),
  har: z.string().min(2).max(HAR_BYTES_MAX).optional().describe('A HAR of a browser, as text: its requests are evidence, too.'),
};

/** Hours between two proofs of functions that hold, on both surfaces. */
export const checkHours = z
  .int()
  .min(1)
  .max(8760)
  .nullable()
  .describe('Hours after which published functions are proved again; null: never. The setting of the machine unless said: daily.');

/** The body of `POST /x/builds`. */
export const StartBuild = z
  .strictObject({ ...buildOptionFields, check_hours: checkHours.optional(), ...localFields, ...waitFields })
  .meta({ id: 'StartBuild' });
export type StartBuild = z.infer<typeof StartBuild>;
/** The body of `POST /x/builds/discover`. */
export const StartDiscovery = z.strictObject({ ...discoveryOptionFields, ...localFields, ...waitFields }).meta({ id: 'StartDiscovery' });
export type StartDiscovery = z.infer<typeof StartDiscovery>;

/** The id of a build, which is that of one of its rungs. */
export const buildIdText = z.string().regex(/^bld_[A-Za-z0-9_-]{22}$/, 'must be the id of a build, `bld_...`');

/** The rungs of a build's ladder. */
export const BuildRung = z.enum(['static', 'rendered', 'ai']);
/** What a rung does. */
export const BuildMode = z.enum(['crawl', 'rendered_crawl', 'sweep']);
/** `proved`, `found` (a discovery) and `failed` are ends; `replaced` goes on as `fallback_build_id`. */
export const BuildStatus = z.enum(['queued', 'running', 'proved', 'found', 'replaced', 'failed', 'cancelled']);
export type BuildStatus = z.infer<typeof BuildStatus>;
const FallbackReason = z.enum(['robots_refused', 'no_page_fetched', 'nothing_matched_objective', 'no_structured_list']);

const anyObject = z.record(z.string(), z.unknown());
const proofState = z.enum(['proved', 'unproved', 'failed']);

/** A function that a build has made. */
export const BuiltFunction = z
  .strictObject({
    name: z.string(),
    description: z.string(),
    kind: z.enum(['search', 'list', 'detail']),
    state: proofState.describe('Decided by the rules of its proof alone.'),
    reason: z.string().describe('What was shown, or which rule is broken.'),
    lane: z.enum(['http', 'browser']),
    candidate_id: z.string().describe('What it is made of, in the evidence.'),
    inputs: anyObject.optional().describe('JSON Schema of what a call takes; absent where it takes nothing.'),
    row: anyObject.describe('JSON Schema of one row of its `data`.'),
    example: anyObject.optional().describe('The inputs that it was recorded with.'),
    proof: anyObject.describe(
      'The certificate: calls, answers with their hashes, and what each rule says of them. `weft api verify` decides again.',
    ),
    workflow: anyObject.describe('The steps that it is, in the language of workflows.'),
    workflow_slug: z.string().optional().describe('The saved workflow that it was published as.'),
  })
  .meta({ id: 'BuiltFunction' });
export type BuiltFunction = z.infer<typeof BuiltFunction>;

const things = z.array(anyObject);
/** What was found on a site: each with an `id` and its provenance, and, where no function is made of it, why in `unused`. */
export const BuildEvidence = z
  .strictObject({
    forms: things,
    requests: things,
    listings: things,
    states: things,
    details: things,
    endpoints: things,
    paging: things,
    tokens: things,
    candidates: things.describe('What functions can be made of, best first.'),
  })
  .meta({ id: 'BuildEvidence' });

const supervised = z.strictObject({
  used: z.boolean().describe('Whether the draft of the call was used.'),
  tokens_in: z.int().min(0),
  tokens_out: z.int().min(0),
  dropped: z.int().min(0).describe('What of its draft was left out.'),
  reason: z.string().optional().describe('Why it was not used, or what was cut.'),
});

const nameChanges = z.strictObject({
  added: z.array(z.string()),
  gone: z.array(z.string()),
  renamed: z.array(z.strictObject({ from: z.string(), to: z.string() })).describe('The same values under another name.'),
});
const changed = z.strictObject({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(
    z.strictObject({
      name: z.string(),
      what: z.array(z.string()).describe('Members of the function that differ.'),
      fields: nameChanges.optional().describe('Fields of its rows, where their names differ.'),
      inputs: nameChanges.optional().describe('What a call takes, where the names differ.'),
      proof: z.strictObject({ before: proofState, after: proofState, reason: z.string() }).optional(),
    }),
  ),
});

/** How a function stands since it was built. */
export const HealthState = z.enum(['healthy', 'degraded', 'failed']);
export type HealthState = z.infer<typeof HealthState>;

const functionHealth = z.strictObject({
  name: z.string(),
  state: HealthState.describe('`degraded`: its last proof was broken; `failed`: three in a row were.'),
  since: instant,
  checked_at: instant,
  failures: z.int().min(0).describe('Broken proofs in a row.'),
  change: z
    .strictObject({
      kind: z
        .string()
        .describe(
          'What has changed: login, captcha, blocked, robots, unreachable, server_error, page_gone, markup_renamed, list_empty, field_renamed, field_gone, input_ignored, rows_changed, pages_changed or call_failed.',
        ),
      message: z.string(),
      fields: z.array(z.string()).optional().describe('The fields that it is about.'),
    })
    .optional(),
});

/** How the functions of a build stand: proved again by the inputs of their certificates. */
export const BuildHealth = z
  .strictObject({
    state: HealthState.describe('The worst of its functions.'),
    check_hours: checkHours,
    next_check_at: instant.optional().describe('Absent where nothing of it is published, or checks are off.'),
    functions: z.array(functionHealth).describe('Those that were proved again since they were built.'),
    unchecked: z.string().optional().describe('Why they could not be proved again when they were due last.'),
  })
  .meta({ id: 'BuildHealth' });
export type BuildHealth = z.infer<typeof BuildHealth>;

/** What can be changed of a build. */
export const UpdateBuild = z.strictObject({ check_hours: checkHours }).meta({ id: 'UpdateBuild' });
export type UpdateBuild = z.infer<typeof UpdateBuild>;

/** A build as a poll of one of its rungs shows it. Members that do not apply are absent, never null. */
export const BuildView = z
  .strictObject({
    build_id: z.string(),
    rung: BuildRung,
    mode: BuildMode,
    status: BuildStatus,
    url: z.string(),
    objective: z.string().optional(),
    respect_robots: z.boolean().optional().describe('How the rung applied the rules of the site; absent on the AI rung.'),
    ai_supervise: z.boolean().optional().describe('Whether the draft of the supervising call was used; absent on the AI rung.'),
    escalations: z
      .array(z.strictObject({ build_id: z.string(), rung: BuildRung, mode: BuildMode, reason: FallbackReason }))
      .optional()
      .describe('The rungs before this one and why each handed over, oldest first; on the newest rung.'),
    fallback_build_id: z.string().optional().describe('The build of the rung that replaced this one.'),
    fallback_reason: FallbackReason.optional().describe('Why it was replaced, as measured.'),
    measured: z
      .string()
      .optional()
      .describe(
        'The numbers behind `fallback_reason`, why the build failed, or which limit ended the rung before it had looked at everything.',
      ),
    functions: z.array(BuiltFunction).optional().describe('On the newest rung, once it has ended.'),
    unused: z
      .array(z.strictObject({ id: z.string(), reason: z.string() }))
      .optional()
      .describe('Candidates that became no function, and why.'),
    draft_source: z.enum(['mechanical', 'model', 'picked']).optional().describe('Who chose and named the functions.'),
    supervised: supervised.optional().describe('What the supervising call took; absent where none was made.'),
    evidence: BuildEvidence.optional().describe('Of a discovery.'),
    openapi: anyObject.optional().describe('OpenAPI 3.1 of the proved functions; each operation has its proof in `x-proof`.'),
    run_id: rowId.optional().describe('The run that does it, on an agent.'),
    rebuild_of: z.string().optional().describe('The build whose options it has.'),
    diff: changed
      .optional()
      .describe('Of a build that was built again: what its functions are beside those before. Nothing is replaced until it is accepted.'),
    proposal: z
      .enum(['open', 'accepted', 'declined'])
      .optional()
      .describe('Of a build that was built again, once it has ended: whether its functions replace those that were published before.'),
    health: BuildHealth.optional().describe('On the newest rung of a build that has proved something.'),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Build' });
export type BuildView = z.infer<typeof BuildView>;

/** A build in a list. */
export const BuildSummary = BuildView.pick({
  build_id: true,
  rung: true,
  mode: true,
  status: true,
  url: true,
  objective: true,
  run_id: true,
})
  .extend({ functions: z.strictObject({ proved: z.int().min(0), all: z.int().min(0) }), created_at: instant, updated_at: instant })
  .meta({ id: 'BuildSummary' });
export type BuildSummary = z.infer<typeof BuildSummary>;

/** What a person or a program chooses of what was found: ids alone, checked against the evidence. */
export const PickDraft = z
  .strictObject({
    functions: z
      .array(
        z.strictObject({
          candidate_id: z.string().max(20),
          name: z.string().max(100).optional().describe('`^[a-z][a-z0-9_]{2,40}$`; the name that was found unless said.'),
          description: z.string().max(500).optional(),
          inputs: z
            .array(
              z.strictObject({
                param_id: z.string().max(20),
                name: z.string().max(100).optional(),
                required: z.boolean().optional(),
                example_id: z.string().max(20).optional(),
              }),
            )
            .max(12)
            .optional()
            .describe('All of the candidate unless said.'),
          fields: z
            .array(z.strictObject({ field_id: z.string().max(20), name: z.string().max(100).optional() }))
            .max(60)
            .optional()
            .describe('All of the candidate unless said.'),
        }),
      )
      .min(1)
      .max(8),
  })
  .meta({ id: 'PickDraft' });
export type PickDraft = z.infer<typeof PickDraft>;

/** One call of a function before it is published. */
export const TryFunction = z.strictObject({ inputs: anyObject.optional() }).meta({ id: 'TryFunction' });
/** What the function gave. */
export const TriedFunction = z
  .strictObject({
    status: z.enum(['succeeded', 'failed']),
    data: z.array(anyObject),
    count: z.int().min(0),
    failure: z.strictObject({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'TriedFunction' });
export type TriedFunction = z.infer<typeof TriedFunction>;

/** A proof that was decided again, from the answers that were kept. */
export const VerifiedFunction = z
  .strictObject({
    name: z.string(),
    holds: z.boolean().describe('Every answer is the one that was kept, gives the same rows, and the rules say the same.'),
    state: z
      .enum(['proved', 'unproved', 'failed'])
      .optional()
      .describe('As the rules decide now; absent where answers are missing or are others.'),
    faults: z.array(z.string()).describe('What is not as the certificate says.'),
  })
  .meta({ id: 'VerifiedFunction' });
export type VerifiedFunction = z.infer<typeof VerifiedFunction>;

/** How the functions of a build become workflows. */
export const PublishBuild = z
  .strictObject({
    functions: z.array(z.string().max(100)).min(1).max(8).optional().describe('Names; all that are proved unless said.'),
    slug: z
      .string()
      .regex(/^[a-z][a-z0-9-]{1,39}$/, 'must be 2 to 40 small letters, digits and "-", a letter first')
      .optional()
      .describe('Put before the name of each; the host unless said.'),
    expose: z.boolean().optional().describe('Offer them as tools of the local MCP server. True unless said.'),
  })
  .meta({ id: 'PublishBuild' });
export type PublishBuild = z.infer<typeof PublishBuild>;
/** A function that is a workflow now. */
export const BuiltWorkflow = z
  .strictObject({ name: z.string(), workflow_id: rowId, workflow_slug: z.string() })
  .meta({ id: 'BuiltWorkflow' });
export type BuiltWorkflow = z.infer<typeof BuiltWorkflow>;

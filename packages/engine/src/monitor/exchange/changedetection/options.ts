// Options of watches of changedetection.io that are not taken over: those that are no configuration, and those without an equivalent, with the reason.

interface Tell {
  readonly message: (value: unknown) => string;
  /** Without it something else is watched. */
  readonly isNeeded?: true;
}

/** Options that become members of a monitor, one way or another. */
const TAKEN = `body browser_steps check_unique_lines conditions conditions_match_logic extract_lines_containing extract_text fetch_backend
  filter_failure_notification_send filter_text_added filter_text_removed filter_text_replaced follow_price_changes headers ignore_status_codes
  ignore_text in_stock_only include_filters method paused price_change_max price_change_min price_change_threshold_percent processor
  processor_config_restock_diff proxy remove_duplicate_lines restock_settings sort_text_alphabetically subtractive_selectors tag tags
  text_should_not_be_present time_between_check time_between_check_use_default time_schedule_limit title trigger_text url webdriver_delay`;
/** What the program notes about a watch for itself. */
const STATE = `browser_steps_last_error_step check_count consecutive_filter_failures content-type date_created fetch_time
  has_ldjson_price_data history history_n last_changed last_check_status last_checked last_error last_filter_config_hash
  last_notification_error last_viewed link llm_evaluation_cache llm_last_tokens_used llm_prefilter llm_tokens_period_key
  llm_tokens_this_period llm_tokens_used_cumulative newest_history_key notification_alert_count page_title previous_md5
  previous_md5_before_filters processor_config_restock_diff_source remote_server_reply restock skip_204_changes uuid viewed
  favicon favicon_url last_notification_sent datastore_path ignore_status_code history_index`;
const KNOWN: ReadonlySet<string> = new Set(`${TAKEN} ${STATE}`.split(/\s+/));

/** Values with which an option says nothing, beside those that are empty. */
const LIKE_NEW: Readonly<Record<string, readonly unknown[]>> = {
  llm_backend_profile: [true],
  llm_change_summary_mode: ['replace'],
  notification_format: ['System default'],
  trim_text_whitespace: [true],
};

const NOTICE = 'notices go through channels here: add them, and name them in "channels"';

/** By option. Values that may hold secrets, such as addresses of notices, are not repeated. */
export const TELLS: Readonly<Record<string, Tell>> = {
  history_snapshot_max_length: { message: (value) => `It keeps ${String(value)} snapshots; how many are kept is a setting of the agent.` },
  link_to_open: { message: (value) => `It opens ${String(value).slice(0, 200)} instead; notices lead to the page that is watched.` },
  llm_backend_profile: { message: () => 'Whether a language model judges its changes is not taken over.' },
  llm_change_summary: { message: () => 'A summary by a language model has no equivalent; the difference itself is told.' },
  llm_change_summary_mode: { message: () => 'A summary by a language model has no equivalent.' },
  llm_intent: { message: () => 'What a language model shall judge changes by has no equivalent; say it as "when".' },
  notification_body: { message: () => `Its words of notices are not taken over: ${NOTICE}; words belong to the channel.` },
  notification_format: { message: () => 'The format of notices is that of their channel.' },
  notification_muted: { message: () => 'It was muted; here channels are.' },
  notification_screenshot: { message: () => 'Pictures are not sent with notices.' },
  notification_title: { message: () => `Its words of notices are not taken over: ${NOTICE}; words belong to the channel.` },
  notification_urls: { message: (value) => `It notifies ${kindsOf(value)}: ${NOTICE}.` },
  strip_ignored_lines: { message: () => 'Lines that are ignored are shown, and count for nothing.' },
  track_ldjson_price_data: { message: () => 'Follow the price of the page with an extractor of the type "price".' },
  trim_text_whitespace: { message: () => 'White space around lines never counts.' },
  use_page_title_in_list: { message: () => 'Lists show the name of a monitor.' },
  webdriver_js_execute_code: {
    message: () => 'Its script is not run; make a workflow that does what it did, and watch that.',
    isNeeded: true,
  },
};

/** Taken over elsewhere, or no configuration. Those that begin with two underscores are kept in memory only. */
export function hasNoMeaning(name: string): boolean {
  return KNOWN.has(name) || name.startsWith('__') || name.startsWith('processor_config_');
}

/** Whether an option has the value of a new watch. */
export function isLikeNew(name: string, value: unknown): boolean {
  const isEmpty = value === null || value === undefined || value === '' || value === false;
  return isEmpty || (Array.isArray(value) && value.length === 0) || LIKE_NEW[name]?.includes(value) === true;
}

/** Services by the scheme of their addresses, which hold tokens. */
function kindsOf(value: unknown): string {
  const urls = Array.isArray(value) ? value.map(String) : [];
  const kinds = new Set(urls.map((url) => /^([a-z][a-z0-9+-]*):/i.exec(url)?.[1]?.toLowerCase() ?? 'an address'));
  return `by ${[...kinds].join(', ')}`;
}

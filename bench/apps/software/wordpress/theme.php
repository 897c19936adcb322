<?php
// Shows a page in another theme that is there: `?theme=twentytwentytwo`.
$theme = preg_replace('/[^a-z]/', '', $_GET['theme'] ?? '');
if ($theme !== '' && is_dir(WP_CONTENT_DIR . "/themes/$theme")) {
    add_filter('template', fn() => $theme);
    add_filter('stylesheet', fn() => $theme);
}

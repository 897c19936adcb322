<?php
// Saves each page of a fresh DokuWiki once more, as somebody who edits it: `php write.php <site folder> <who>`; without that a wiki has no list of changes.
$_SERVER += ['REMOTE_ADDR' => '127.0.0.1', 'REMOTE_USER' => $argv[2], 'HTTP_HOST' => '127.0.0.1'];
define('DOKU_INC', $argv[1] . '/');
define('NOSESSION', 1);
require DOKU_INC . 'inc/init.php';
$_SERVER['REMOTE_USER'] = $argv[2];
search($pages, $conf['datadir'], 'search_allpages', ['skipacl' => true]);
foreach ($pages as $page) saveWikiText($page['id'], rawWiki($page['id']) . "\n\nLooked after.\n", 'Looked after ' . noNS($page['id']));

<?php
// Fills a fresh WordPress from standard input: run by `php install.php <site folder>` with our words as JSON.
define('WP_INSTALLING', true);
$_SERVER['HTTP_HOST'] = '127.0.0.1';
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
$wanted = json_decode(stream_get_contents(STDIN), true);
wp_install('Garden weblog', 'gardener', 'gardener@example.org', true, '', 'garden-weblog-0123456789');
update_option('permalink_structure', $wanted['permalinks']);
update_option('default_pingback_flag', 0);
update_option('thread_comments', 1);
update_option('timezone_string', 'UTC');
update_option('posts_per_page', 8);
global $wp_rewrite;
$wp_rewrite->init();
$wp_rewrite->set_permalink_structure($wanted['permalinks']);
do_action('init');
foreach (['Vegetables', 'Herbs', 'Fruit'] as $name) wp_insert_term($name, 'category');
foreach (get_posts(['numberposts' => -1, 'post_type' => ['post', 'page'], 'post_status' => 'any']) as $post) wp_delete_post($post->ID, true);

foreach ($wanted['articles'] as $at => $article) {
    $month = $at % 10;
    $date = sprintf('2024-%02d-%02d 08:%02d:00', 1 + $month, 1 + $at % 27, $at);
    $id = wp_insert_post([
        'post_title' => $article['title'] . ' through the year', 'post_name' => $article['slug'], 'post_status' => 'publish', 'post_author' => 1,
        'post_date' => $date, 'post_date_gmt' => $date, 'post_content' => content_of($article), 'comment_status' => 'open',
        'post_category' => [get_cat_ID(['Vegetables', 'Herbs', 'Fruit'][$at % 3])],
        'tags_input' => array_unique([$article['tools'][0]['name'], $article['tools'][1]['name']]),
    ]);
    $parent = 0;
    for ($each = 0; $each < $at % 4; $each++) {
        $parent = wp_insert_comment([
            'comment_post_ID' => $id, 'comment_author' => ['Ada', 'Ben', 'Cleo'][$each], 'comment_author_email' => "reader$each@example.org", 'comment_approved' => 1,
            'comment_content' => $article['steps'][$each % count($article['steps'])] . " That is what I did with my {$article['slug']}.",
            'comment_parent' => $each % 2 ? $parent : 0, 'comment_date' => $date, 'comment_date_gmt' => $date,
        ]);
    }
}
foreach (['About', 'Visits', 'Contact'] as $name)
    wp_insert_post(['post_type' => 'page', 'post_title' => $name, 'post_status' => 'publish', 'post_author' => 1, 'post_date' => '2024-01-01 00:00:00',
        'post_content' => "<!-- wp:paragraph --><p>$name: the garden is open from April to October, and the gate is on the west side.</p><!-- /wp:paragraph -->"]);
wp_insert_post(['post_type' => 'page', 'post_title' => 'All there is', 'post_status' => 'publish', 'post_author' => 1, 'post_date' => '2024-01-01 00:00:00',
    'post_content' => '<!-- wp:page-list /--><!-- wp:archives /--><!-- wp:categories /--><!-- wp:tag-cloud {"numberOfTags":100} /--><p><a href="' . get_post_type_archive_link('product') . '">Shop</a></p>']);
foreach ($wanted['articles'] as $at => $article) {
    if ($at >= 24) break;
    $id = wp_insert_post(['post_type' => 'product', 'post_title' => "Seeds of {$article['slug']}", 'post_name' => "seeds-{$article['slug']}", 'post_status' => 'publish', 'post_author' => 1,
        'post_date' => sprintf('2024-01-01 00:%02d:00', $at), 'post_content' => content_of($article), 'post_excerpt' => $article['paragraphs'][0]]);
    update_post_meta($id, 'regular_price', sprintf('%d.50', 2 + $at % 7));
    if ($at % 4 === 0) update_post_meta($id, 'sale_price', sprintf('%d.00', 2 + $at % 7));
    update_post_meta($id, 'sku', sprintf('SEED-%04d', 1000 + $at));
    update_post_meta($id, 'stock', $at % 5);
    update_post_meta($id, 'grams', 5 * (1 + $at % 6));
    wp_set_object_terms($id, ['Roots', 'Leaves', 'Berries'][$at % 3], 'product_cat');
}
flush_rewrite_rules();

function content_of(array $article): string {
    $blocks = array_map(fn($text) => "<!-- wp:paragraph --><p>$text</p><!-- /wp:paragraph -->", $article['paragraphs']);
    $rows = implode('', array_map(fn($tool) => "<tr><td>{$tool['name']}</td><td>{$tool['use']}</td><td>{$tool['weeks']}</td></tr>", $article['tools']));
    $blocks[] = "<!-- wp:heading --><h2>Tools</h2><!-- /wp:heading --><!-- wp:table --><figure class=\"wp-block-table\"><table><thead><tr><th>Tool</th><th>Use</th><th>Weeks</th></tr></thead><tbody>$rows</tbody></table><figcaption>Tools for {$article['slug']}</figcaption></figure><!-- /wp:table -->";
    $steps = implode('', array_map(fn($step) => "<li>$step</li>", $article['steps']));
    $blocks[] = "<!-- wp:heading --><h2>Steps</h2><!-- /wp:heading --><!-- wp:list {\"ordered\":true} --><ol>$steps</ol><!-- /wp:list -->";
    $blocks[] = "<!-- wp:code --><pre class=\"wp-block-code\"><code>water {$article['slug']} --weeks {$article['tools'][0]['weeks']}</code></pre><!-- /wp:code -->";
    return implode("\n\n", $blocks);
}

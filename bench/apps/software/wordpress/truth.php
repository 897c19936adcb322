<?php
// Prints WordPress's own list of its public pages as JSON: `php truth.php <site folder> <host and port>`.
$_SERVER['HTTP_HOST'] = $argv[2];
require $argv[1] . '/wp-load.php';
$per_page = (int) get_option('posts_per_page');
$pages = [];
add(home_url('/'), 'Home', wp_count_posts('post')->publish, $per_page);
foreach (get_posts(['numberposts' => -1, 'post_type' => ['post', 'page', 'product']]) as $post) $pages[] = ['path' => get_permalink($post), 'title' => $post->post_title];
foreach (get_terms(['taxonomy' => ['category', 'post_tag', 'product_cat'], 'hide_empty' => true]) as $term)
    add(get_term_link($term), $term->name, $term->count, $term->taxonomy === 'product_cat' ? GARDEN_SHOP_PER_PAGE : $per_page);
foreach ($wpdb->get_results("SELECT YEAR(post_date) y, MONTH(post_date) m, COUNT(*) n FROM $wpdb->posts WHERE post_type = 'post' AND post_status = 'publish' GROUP BY 1, 2") as $month)
    add(get_month_link($month->y, $month->m), "$month->y-$month->m", $month->n, $per_page);
foreach (get_users(['has_published_posts' => ['post']]) as $user) add(get_author_posts_url($user->ID), $user->display_name, count_user_posts($user->ID, 'post', true), $per_page);
add(get_post_type_archive_link('product'), 'Shop', wp_count_posts('product')->publish, GARDEN_SHOP_PER_PAGE);
$base = home_url();
echo json_encode(array_map(fn($page) => ['path' => substr($page['path'], strlen($base))] + $page, $pages));

function add(string $link, string $title, int $count, int $per_page): void {
    global $pages, $wp_rewrite;
    for ($number = 1; $number === 1 || ($number - 1) * $per_page < $count; $number++) {
        $paged = $wp_rewrite->using_permalinks() ? trailingslashit($link) . "page/$number/" : add_query_arg('paged', $number, $link);
        $pages[] = ['path' => $number === 1 ? $link : $paged, 'title' => $title];
    }
}

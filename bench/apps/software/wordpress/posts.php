<?php
// Prints what WordPress itself answers to a query of posts, all pages of it, as JSON: `php posts.php <site folder> <host and port> <query as JSON>`.
$_SERVER['HTTP_HOST'] = $argv[2];
require $argv[1] . '/wp-load.php';
$query = new WP_Query(json_decode($argv[3], true) + ['posts_per_page' => -1, 'post_status' => 'publish']);
$base = home_url();
echo json_encode(array_map(fn($post) => [
    'id' => $post->ID,
    'title' => html_entity_decode(get_the_title($post)),
    'link' => substr(get_permalink($post), strlen($base)),
    'slug' => $post->post_name,
    'date' => mysql2date('Y-m-d\TH:i:s\Z', $post->post_date_gmt),
    'author' => get_the_author_meta('display_name', $post->post_author),
    'category' => implode(', ', wp_list_pluck(get_the_category($post->ID), 'name')),
    'tags' => implode(', ', wp_list_pluck(get_the_tags($post->ID) ?: [], 'name')),
    'comments' => (int) $post->comment_count,
    'text' => trim(preg_replace('/\s+/', ' ', strip_tags(str_replace('>', '> ', $post->post_content)))),
], $query->posts));

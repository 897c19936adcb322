# Fills a fresh Redmine with our words: `rails runner seed.rb <words as JSON>`.
words = JSON.parse(File.read(ARGV[0]))
User.current = User.find_by(login: 'admin')
Setting.rest_api_enabled = 0
Setting.text_formatting = 'markdown'
Setting.per_page_options = '10,25'
admin = User.current
admin.update_columns(must_change_passwd: false)
projects = %w[garden orchard].map do |identifier|
  project = Project.new(name: identifier.capitalize, identifier: identifier, is_public: true, description: "All that is done in the #{identifier}.")
  project.enabled_module_names = %w[issue_tracking news documents wiki boards calendar gantt]
  project.trackers = Tracker.all
  project.save!
  Version.create!(project: project, name: 'Spring', effective_date: '2024-04-01')
  project
end
words.each_with_index do |plant, at|
  project = projects[at % projects.size]
  issue = Issue.new(project: project, tracker: Tracker.all[at % Tracker.count], author: admin, status: IssueStatus.first, priority: IssuePriority.first,
                    subject: "Look after the #{plant['slug']}", start_date: '2024-03-01', fixed_version: project.versions.first,
                    description: plant['paragraphs'].join("\n\n") + "\n\n" + plant['steps'].map { |step| "* #{step}" }.join("\n"))
  issue.save!
  if at.even?
    issue = Issue.find(issue.id)
    issue.init_journal(admin, plant['steps'].first)
    issue.save!
  end
  rows = plant['tools'].map { |tool| "| #{tool['name']} | #{tool['use']} | #{tool['weeks']} |" }.join("\n")
  wiki = project.wiki || Wiki.create!(project: project, start_page: 'Wiki')
  page = WikiPage.new(wiki: wiki, title: plant['title'])
  page.content = WikiContent.new(page: page, author: admin, text: "# #{plant['title']}\n\n#{plant['paragraphs'].join("\n\n")}\n\n| Tool | Use | Weeks |\n| --- | --- | --- |\n#{rows}\n\nSee ##{issue.id}.")
  page.save!
end
projects.each_with_index do |project, at|
  own = words.each_with_index.select { |_, index| index % projects.size == at }.map(&:first)
  page = WikiPage.new(wiki: project.wiki, title: 'Wiki')
  page.content = WikiContent.new(page: page, author: admin, text: "# #{project.name}\n\n" + own.map { |plant| "* [[#{plant['title']}]]" }.join("\n"))
  page.save!
  own.first(4).each { |plant| News.create!(project: project, author: admin, title: "#{plant['title']} is ready", summary: plant['steps'].first, description: plant['paragraphs'].join("\n\n")) }
  board = Board.create!(project: project, name: 'Talk', description: 'What gardeners ask')
  own.first(5).each do |plant|
    topic = Message.create!(board: board, author: admin, subject: "When to sow #{plant['slug']}?", content: plant['paragraphs'].first)
    Message.create!(board: board, author: admin, parent: topic, subject: "RE: #{topic.subject}", content: plant['steps'].first)
  end
end

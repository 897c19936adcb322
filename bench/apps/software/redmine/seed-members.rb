# Fills a fresh Redmine that nobody reads without logging in: `rails runner seed-members.rb <what to make as JSON>`.
wanted = JSON.parse(File.read(ARGV[0]))
User.current = User.find_by(login: 'admin')
User.current.update_columns(must_change_passwd: false)
Setting.login_required = 1
Setting.rest_api_enabled = 1
Setting.twofa = 1
Setting.text_formatting = 'markdown'
Setting.per_page_options = '25,50,100'
project = Project.new(name: 'Garden', identifier: 'garden', is_public: false)
project.enabled_module_names = %w[issue_tracking]
project.trackers = Tracker.all
project.save!
users = wanted['accounts'].map do |account|
  user = User.new(firstname: account['username'].capitalize, lastname: 'Gardener', mail: "#{account['username']}@example.org", language: 'en')
  user.login = account['username']
  user.password = user.password_confirmation = account['password']
  user.must_change_passwd = account['mustChange'] || false
  user.save!
  user.update!(twofa_scheme: 'totp', twofa_totp_key: account['totpSeed']) if account['totpSeed']
  Member.create!(project: project, principal: user, roles: [Role.givable.first])
  user
end
Token.create!(user: users.first, action: 'api').update_columns(value: wanted['apiKey'])
statuses = IssueStatus.all.to_a
priorities = IssuePriority.all.to_a
wanted['subjects'].each_with_index do |subject, at|
  Issue.new(project: project, tracker: Tracker.all[at % Tracker.count], author: users[at % users.size], status: statuses[at % statuses.size],
            priority: priorities[at % priorities.size], subject: subject, start_date: '2024-03-01').save!
end

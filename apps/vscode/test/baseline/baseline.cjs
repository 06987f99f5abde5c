// The least that an extension can be: what it takes to load is VS Code's own time, and the measure for the one under test.
require('vscode')

exports.activate = () => {}

// Importing a tool's file declares it; lists are in the order of names.
import './tools/add-task.ts'
import './tools/list-tasks.ts'
import './tools/complete-task.ts'
import './tools/update-task.ts'
import './tools/delete-task.ts'
import './tools/plan-task.ts'

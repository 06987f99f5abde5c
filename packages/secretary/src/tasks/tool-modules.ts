// Importing a tool's file declares it; the order here is the order in every list.
import './tools/add-task.ts'
import './tools/list-tasks.ts'
import './tools/complete-task.ts'
import './tools/update-task.ts'
import './tools/delete-task.ts'
import './tools/plan-task.ts'

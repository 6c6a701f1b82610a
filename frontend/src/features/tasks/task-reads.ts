import { reads } from '../../lib/topics.js';

/** The first word of the query keys of tasks. */
export const TASKS = reads('tasks', ['task-lists', 'settings']);
/** And of their lists, which count them. */
export const TASK_LISTS = reads('task-lists', ['tasks', 'settings']);

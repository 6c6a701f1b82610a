import { reads } from '../../lib/topics.js';

/** First part of the query keys of tasks. */
export const TASKS = reads('tasks', ['task-lists', 'settings']);
/** First part of the query keys of lists, whose answers contain numbers of tasks. */
export const TASK_LISTS = reads('task-lists', ['tasks', 'settings']);

import { reads } from '../../lib/topics.js';

/** In a file of its own, so that the student's page does not load the trainer's requests. */
export const CONTRACTS = reads('contracts', ['students']);

import { useAnswer } from '../lib/answer.js';

/** What the account says of the signed-in person. */
export const useProfile = () => useAnswer(['account', 'profile'], 'GET /account/profile');

import { create } from 'zustand';

/** Whether the socket is connected, so that changes by others are shown without a reload; null before it was tried. */
export const useConnection = create<{ connected: boolean | null }>(() => ({ connected: null }));

import { create } from 'zustand';

const COOKIE = 'sidebar';
const SEVEN_DAYS = 7 * 24 * 60 * 60;

interface ShellState {
  /** Only icons in the sidebar; kept in a cookie for 7 days. */
  collapsed: boolean;
  toggleSidebar: () => void;
}

export const useShell = create<ShellState>((set, get) => ({
  collapsed: document.cookie.split('; ').includes(`${COOKIE}=collapsed`),
  toggleSidebar: () => {
    const collapsed = !get().collapsed;
    document.cookie = `${COOKIE}=${collapsed ? 'collapsed' : 'expanded'}; path=/; max-age=${SEVEN_DAYS}; samesite=lax`;
    set({ collapsed });
  },
}));

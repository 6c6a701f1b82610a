import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { queryClient } from '../../lib/query-client.js';
import classes from './auth-page.module.css';

/** A page that reads from the server, also for people who are not signed in. */
export function OpenPage({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Rende`;
  }, [title]);

  return (
    <QueryClientProvider client={queryClient}>
      <main className={classes.page}>{children}</main>
    </QueryClientProvider>
  );
}

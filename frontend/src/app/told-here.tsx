import { useEffect } from 'react';
import { keepPush } from '../lib/push.js';

/** Keeps this browser among those that a person is told on. */
export default function ToldHere({ userId }: { userId: string }) {
  useEffect(() => {
    keepPush(userId).catch(() => undefined);
  }, [userId]);
  return null;
}

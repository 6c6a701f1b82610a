import { useEffect } from 'react';
import { keepPush } from '../lib/push.js';

/** Renews the push subscription of this browser. */
export default function PushRenewal({ userId }: { userId: string }) {
  useEffect(() => {
    keepPush(userId).catch(() => undefined);
  }, [userId]);
  return null;
}

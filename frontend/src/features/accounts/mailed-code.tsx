import { lazy, Suspense } from 'react';
import { whenReachable } from '../../lib/chunks.js';
import { Loading } from '../../ui/loading.js';
import type { MailedCodeFormProps } from './mailed-code-form.js';

const MailedCodeForm = lazy(() => whenReachable(() => import('./mailed-code-form.js')));

/** The form for a mailed code, loaded on demand. */
export const MailedCode = (props: MailedCodeFormProps) => (
  <Suspense fallback={<Loading />}>
    <MailedCodeForm {...props} />
  </Suspense>
);

import { useParams } from 'react-router-dom';
import { SignablePage } from './signable-page.js';

/** A student's contract, as the trainer sees it. */
export default function SignedCopyPage() {
  const { id = '' } = useParams();
  return <SignablePage reader={{ as: 'trainer', id }} back="/ajustes/contratos-termos" />;
}

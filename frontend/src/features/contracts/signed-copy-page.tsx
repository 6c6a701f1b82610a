import { useParams } from 'react-router-dom';
import { SignablePage } from './signable-page.js';

/** A contract as one student got or signed it, for the trainer. */
export default function SignedCopyPage() {
  const { id = '' } = useParams();
  return <SignablePage reader={{ as: 'trainer', id }} back="/ajustes/contratos-termos" />;
}

import { firstName } from '../../../backend/platform/first-name.api.js';
import { IconAction } from '../ui/icon-actions.js';
import { useStudent } from './students.queries.js';
import { whatsAppOf } from './whatsapp.js';

interface WhatsAppButtonProps {
  studentId: string;
  text: (firstName: string) => string;
}

/** Opens WhatsApp with a prepared text; renders nothing without a number. */
export function WhatsAppButton({ studentId, text }: WhatsAppButtonProps) {
  const { data } = useStudent(studentId);
  const href = data && whatsAppOf(data, text(firstName(data.nome)));
  if (!href) return null;
  return (
    <IconAction icon="chat" href={href}>
      WhatsApp
    </IconAction>
  );
}

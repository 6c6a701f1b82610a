import { PublicLinks } from '../../features/public-link/public-links.js';
import { InviteSomebody } from '../../features/students/invite-somebody.js';

/** The sheet "Links públicos" of the agenda. */
export default function PublicLinksPanel() {
  return <PublicLinks invite={<InviteSomebody />} />;
}

// A migration of schema.ts: calendar objects and cards that nobody has named get names with an ending
// (protocol/member-names.ts), and what is in no folder is found by an index, too.

/**
 * Properties go along; the names themselves are learnt when the room is asked for (content/learning.ts). What has
 * changed is not known then, so clients list these rooms anew.
 */
export const NAMES_WITH_ENDINGS = `
  DROP INDEX room_message_folder;
  CREATE INDEX room_message_folder ON room_message (room, folder, message);
  UPDATE dead_property SET member = member || (SELECT iif(view = 2, '.vcf', '.ics') FROM room WHERE id = room)
  WHERE EXISTS (
    SELECT 1 FROM room_message rm JOIN room r ON r.id = rm.room
    WHERE rm.room = dead_property.room AND rm.name = dead_property.member AND rm.name <> '' AND rm.exti = rm.name
      AND r.view IN (2, 3, 4) AND rm.name NOT GLOB iif(r.view = 2, '*.vcf', '*.ics')
  );
  UPDATE room_message SET name = '', folder = '', component = NULL
  WHERE name IN ('', exti) AND room IN (SELECT id FROM room WHERE view IN (2, 3, 4));
  UPDATE room SET sequence = sequence + 1, changes_from = sequence + 1 WHERE view IN (2, 3, 4);
`;

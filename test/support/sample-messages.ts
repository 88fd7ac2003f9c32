// Bodies of format 4 messages for the tests of the message verbs: those whose part lists the specification shows.

const PNG = `iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9
awAAAABJRU5ErkJggg==`;

/** the picture of MIXED and NESTED, decoded */
export const PNG_BYTES = Buffer.from(PNG, 'base64');

export const MIXED = `Content-type: multipart/mixed; boundary="outer"

This preamble is ignored.
--outer
Content-type: text/plain; charset=utf-8

See attachments.
--outer
Content-type: image/png; name="dot.png"
Content-Disposition: attachment; filename="dot.png"
Content-Transfer-Encoding: base64
Content-ID: <dot@example>

${PNG}
--outer
Content-type: text/plain; name="notes.txt"
Content-Disposition: attachment; filename="notes.txt"

these are notes
--outer--
This epilogue is ignored.

`;

export const FORWARD = `From: Other <other@example.org>
Subject: inner mail
Date: Mon, 01 Jan 2024 00:00:00 +0000
MIME-Version: 1.0
Content-type: multipart/mixed; boundary="b3"

--b3
Content-type: text/plain

inner text
--b3
Content-type: application/pdf; name="a.pdf"
Content-Disposition: attachment; filename="a.pdf"
Content-Transfer-Encoding: base64

JVBERi0=
--b3--`;

export const NESTED = `Content-type: multipart/mixed; boundary="b0"

--b0
Content-type: multipart/related; boundary="b1"

--b1
Content-type: multipart/alternative; boundary="b2"

--b2
Content-type: text/plain

deep plain
--b2
Content-type: text/html

<p>deep html <img src="cid:pic1"></p>
--b2--
--b1
Content-type: image/png; name="pic.png"
Content-ID: <pic1>
Content-Disposition: inline; filename="pic.png"
Content-Transfer-Encoding: base64

${PNG}
--b1--
--b0
Content-type: message/rfc822
Content-Disposition: attachment; filename="fwd.eml"

${FORWARD}
--b0
Content-type: text/x-log

last part, no name
--b0--

`;

/**
 * A country's point on a map: in its middle, by its ISO 3166-1 code, to about a degree. Pure.
 *
 * In degrees north and east, one country after the other: `AD 42 1`. Compared by a test with the outlines of
 * Natural Earth, where those are drawn.
 */
const points = `
AD 42 1;AE 24 54;AF 34 66;AG 17 -62;AI 18 -63;AL 41 20;AM 40 45;AO -12 18;AQ -80 0;AR -35 -65;AS -14 -171;AT 47 14
AU -25 134;AW 12 -70;AX 60 20;AZ 40 48;BA 44 18;BB 13 -60;BD 24 90;BE 51 4;BF 12 -2;BG 43 25;BH 26 51;BI -3 30
BJ 9 2;BL 18 -63;BM 32 -65;BN 4.5 114.7;BO -17 -65;BQ 12 -68;BR -10 -53;BS 24.7 -78;BT 27 90;BV -54 3;BW -22 24;BY 53 28
BZ 17 -89;CA 60 -107;CC -12 97;CD -3 23;CF 7 21;CG -1 15;CH 47 8;CI 8 -6;CK -21 -160;CL -33 -71;CM 6 12;CN 35 103
CO 4 -73;CR 10 -84;CU 22 -79;CV 16 -24;CW 12 -69;CX -10 106;CY 35 33;CZ 50 15;DE 51 10;DJ 12 43;DK 56 9;DM 15 -61
DO 19 -71;DZ 28 3;EC -1 -78;EE 59 26;EG 27 30;EH 24 -14;ER 16 38;ES 40 -4;ET 9 39;FI 63 26;FJ -18 178;FK -52 -59
FM 7 158;FO 62 -7;FR 47 2;GA -1 12;GB 53 -2;GD 12 -62;GE 42 43;GF 4 -53;GG 49 -3;GH 8 -1;GI 36 -5;GL 72 -40
GM 13.4 -15.5;GN 11 -11;GP 16 -62;GQ 2 10;GR 39 22;GS -54 -37;GT 15 -90;GU 13 145;GW 12 -15;GY 5 -59;HK 22 114
HM -53 73;HN 15 -87;HR 45.5 16;HT 19 -72;HU 47 19;ID -1 114;IE 53 -8;IL 31 35;IM 54 -5;IN 22 79;IO -7 72;IQ 33 44
IR 32 54;IS 65 -18;IT 43 12;JE 49 -2;JM 18 -77;JO 31 36;JP 36 138;KE 1 38;KG 41 75;KH 13 105;KI 1 173;KM -12 44
KN 17 -63;KP 40 127;KR 37 128;KW 29 48;KY 19 -81;KZ 48 68;LA 18 105;LB 34 36;LC 14 -61;LI 47 10;LK 7 81;LR 6 -9
LS -29 28;LT 55 24;LU 50 6;LV 57 25;LY 27 17;MA 32 -6;MC 44 7;MD 47 29;ME 43 19;MF 18 -63;MG -20 47;MH 9 168
MK 42 22;ML 17 -4;MM 21 96;MN 46 105;MO 22 114;MP 15 146;MQ 15 -61;MR 20 -11;MS 17 -62;MT 36 14;MU -20 58;MV 3 73
MW -13 34;MX 24 -102;MY 4 102;MZ -18 35;NA -22 17;NC -21 165;NE 17 9;NF -29 168;NG 10 8;NI 13 -85;NL 52 6;NO 61 9
NP 28 84;NR -1 167;NU -19 -170;NZ -44 171;OM 21 57;PA 9 -80;PE -10 -76;PF -15 -140;PG -6 144;PH 16 121;PK 30 69
PL 52 20;PM 47 -56;PN -25 -130;PR 18 -66;PS 32 35;PT 40 -8;PW 7 134;PY -23 -58;QA 25 51;RE -21 56;RO 46 25
RS 44 21;RU 61 96;RW -2 30;SA 24 45;SB -9 160;SC -5 55;SD 15 30;SE 62 15;SG 1 104;SH -16 -6;SI 46 15;SJ 78 16
SK 49 20;SL 8 -12;SM 44 12;SN 14 -14;SO 5 46;SR 4 -56;SS 7 30;ST 0 7;SV 14 -89;SX 18 -63;SY 35 39;SZ -27 31
TC 22 -72;TD 15 19;TF -49 69;TG 8 1;TH 15 101;TJ 39 71;TK -9 -172;TL -9 126;TM 39 60;TN 34 9;TO -20 -175;TR 39 35
TT 10 -61;TV -8 178;TW 24 121;TZ -6 35;UA 49 32;UG 1 32;UM 19 167;US 39 -98;UY -33 -56;UZ 41 64;VA 42 12;VC 13 -61
VE 7 -65;VG 18 -65;VI 18 -65;VN 14 108;VU -15 167;WF -13 -176;WS -14 -172;XK 43 21;YE 15 48;YT -13 45;ZA -29 24
ZM -15 28;ZW -19 30`;

export interface Place {
  /** Degrees: north is above 0. */
  readonly latitude: number;
  /** Degrees: east is above 0. */
  readonly longitude: number;
}

export const countryPlaces: ReadonlyMap<string, Place> = new Map(
  points
    .trim()
    .split(/[;\n]/)
    .map((point) => {
      const [code = "", latitude, longitude] = point.split(" ");
      return [code, { latitude: Number(latitude), longitude: Number(longitude) }] as const;
    }),
);

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ISignatureTransfer} from "./ISignatureTransfer.sol";

/// @dev Stand-in for the proxy of x402 for the scheme exact (github.com/coinbase/x402, x402ExactPermit2Proxy). Same functions,
/// witness and errors as the part of the original that settles a payment. Anyone may send it, and the signed payee is paid.
contract ExactPermit2Proxy {
    struct Witness {
        address to;
        uint256 validAfter;
    }

    bytes32 public constant WITNESS_TYPEHASH = keccak256("Witness(address to,uint256 validAfter)");
    // EIP-712 puts the referenced types in alphabetical order after the struct that refers to them.
    string public constant WITNESS_TYPE_STRING =
        "Witness witness)TokenPermissions(address token,uint256 amount)Witness(address to,uint256 validAfter)";
    ISignatureTransfer public immutable PERMIT2;

    event Settled();

    error InvalidDestination();
    error InvalidOwner();
    error PaymentTooEarly();

    constructor(ISignatureTransfer permit2) {
        PERMIT2 = permit2;
    }

    function settle(
        ISignatureTransfer.PermitTransferFrom calldata permit,
        address owner,
        Witness calldata witness,
        bytes calldata signature
    ) external {
        if (owner == address(0)) revert InvalidOwner();
        if (witness.to == address(0)) revert InvalidDestination();
        if (block.timestamp < witness.validAfter) revert PaymentTooEarly();
        PERMIT2.permitWitnessTransferFrom(
            permit,
            ISignatureTransfer.SignatureTransferDetails({to: witness.to, requestedAmount: permit.permitted.amount}),
            owner,
            keccak256(abi.encode(WITNESS_TYPEHASH, witness.to, witness.validAfter)),
            WITNESS_TYPE_STRING,
            signature
        );
        emit Settled();
    }
}
